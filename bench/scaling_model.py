# SPDX-License-Identifier: Apache-2.0
"""Messages between ranks and the time of a stage, from measured rates: the model behind bench/scaling.

A rank with n elements, of which b touch others, k neighbours and s bytes to send takes for a stage

    t(n) + c s + max(0, k L + s / B - t(n) (n - b) / n)

with t(n) the measured time of a stage of n elements on one rank, c the measured time of packing and unpacking a byte, L the
latency and B the bandwidth of messages. The exchange is hidden behind the elements inside; what it takes longer than they do is
waited for. The slowest rank is taken to have the most of everything.
"""

import itertools
import math

# A node with one link of InfiniBand EDR, 100 Gbit/s (InfiniBand Trade Association, 4 lanes of 25 Gbit/s), shared by 16 ranks that
# send all they have through it. Latency: 5 microseconds between the furthest nodes, as Brightwell, Hudson, Pedretti, Riesen and
# Underwood (2005) require of Red Storm's network; today's are faster.
NETWORK = {"latency": 5e-6, "bandwidth": 12.5e9, "ranks_per_node": 16,
           "source": "InfiniBand EDR, 100 Gbit/s a node; latency of Brightwell et al. (2005), furthest nodes"}
# Scaled time of a Runge-Kutta step on 64 to 512 processors: Hesthaven, lectures on DG-FEM, lecture 8 ("3D and advanced topics").
HESTHAVEN = {64: 1.00, 128: 0.48, 256: 0.24, 512: 0.14}


def blocks(cells, ranks):
    """The split of a box into equal blocks that cuts the fewest faces of cells: (blocks along each side, faces)."""
    best = None
    for split in itertools.product(range(1, ranks + 1), repeat=3):
        if math.prod(split) != ranks or any(n > c for n, c in zip(split, cells)):
            continue
        faces = sum((n - 1) * math.prod(cells) // c for n, c in zip(split, cells))
        if best is None or faces < best[1]:
            best = (split, faces)
    return best


def block_bytes(cells, ranks, order, fields, number_bytes):
    """Sent by all ranks in one exchange where blocks of cells are cut: a cell's face is two triangles, and both sides send."""
    found = blocks(cells, ranks)
    if found is None:
        return 0
    nodes = (order + 1) * (order + 2) // 2
    return 2 * 2 * found[1] * nodes * fields * number_bytes


def stage_seconds(stage, elements):
    """Between measured sizes the time of an element is a straight line; below the smallest size its stage is not shorter."""
    known = sorted((e["elements"], e["seconds"]) for e in stage)
    if elements <= known[0][0]:
        return known[0][1]
    for (n0, t0), (n1, t1) in itertools.pairwise(known):
        if elements <= n1:
            part = (elements - n0) / (n1 - n0)
            return elements * ((1 - part) * t0 / n0 + part * t1 / n1)
    return elements * known[-1][1] / known[-1][0]


def predict(parts, stage, copies_per_byte, latency, bandwidth):
    """Seconds of a stage for each number of ranks, and scaled to the first."""
    all_counts = []
    for part in parts:
        n, border, sent = part["most_elements"], part["most_border_elements"], part["most_bytes"]
        alone = stage_seconds(stage, n)
        exchange = part["most_neighbours"] * latency + sent / bandwidth
        waited = max(0.0, exchange - alone * (n - border) / n)
        seconds = alone + copies_per_byte * sent + waited
        all_counts.append({"ranks": part["ranks"], "most_elements": n, "most_border_elements": border, "bytes": sent,
                           "neighbours": part["most_neighbours"], "alone": alone, "exchange": exchange, "waited": waited,
                           "seconds": seconds})
    first = all_counts[0]
    for entry in all_counts:
        entry["scaled"] = entry["seconds"] / first["seconds"]
        entry["efficiency"] = first["ranks"] / entry["ranks"] / entry["scaled"]
    return all_counts


def stops_at(entries, least=0.5):
    """The first number of ranks whose efficiency is below `least`; None where all are above."""
    return next((entry["ranks"] for entry in entries if entry["efficiency"] < least), None)


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")

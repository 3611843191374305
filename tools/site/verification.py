# SPDX-License-Identifier: Apache-2.0
"""Pages of what `swell verify` found, from bench/results/verification.json: every row for the site, and a short table for docs/."""

import re

HEAD = """# Every row of the verification suite

Made by `tools/make_verification` from `swell verify --json` on processors; each heading names date and commit. \
{passed} of {rows} rows pass; all of them took {seconds:.0f} s.{others}

Each case has an exact answer. N is the number of cells along an edge, the error is what the case's heading says, \
the order is log(coarse error / fine error) / log(ratio of N). On the finest pair of meshes the order must be p+1 \
within 0.25 unless the table says otherwise; a higher one passes only where the error is below a stated one. Where a \
reference error is stated, the error must lie within a factor of 1.5 of it.
"""


def made(rows):
    """When and by which commits these rows were made."""
    return "; ".join(dict.fromkeys(f"{row['date']}, {row['commit']}" for row in rows))


def table(rows):
    yield "| element | p | N | error | order | expected | |"
    yield "|---|---|---|---|---|---|---|"
    for row in rows:
        order = f"{row['observed_order']:.2f}" if row["observed_order"] is not None else ""
        error = f"{row['error']:.3e}" if row["error"] is not None else "not a number"
        verdict = "ok" if row["passed"] else "**FAIL**"
        remark = f": {row['remark']}" if row["remark"] else ""
        cells = [row["element"], row["order"], row["cells"], error, order, row["expected"], verdict + remark]
        yield f"| {' | '.join(map(str, cells))} |"


def document(report):
    """The page with every row."""
    about = report["cases"]
    rows, others = report["rows"], report.get("others", {})
    beside = "".join(f" On {device}, {sum(row['passed'] for row in known)} of {len(known)} pass." for device, known in others.items())
    yield HEAD.format(rows=len(rows), passed=sum(row["passed"] for row in rows), seconds=sum(row["seconds"] for row in rows),
                      others=beside)
    for name in dict.fromkeys(row["name"] for row in rows):
        chosen = [row for row in rows if row["name"] == name]
        yield f"## {name}\n\n{about[name]} ({made(chosen)})\n"
        yield from table(chosen)
        yield ""
        for device, known in others.items():
            if there := [row for row in known if row["name"] == name]:
                yield (f"On {device} ({made(there)}): {sum(row['passed'] for row in there)} of "
                       f"{len(there)} rows pass.")
                yield ""


def closeness(row):
    """How near a row came to what it must not pass: 1 is there."""
    order = re.search(r"order ([\d.]+)(?: to [\d.]+)? \+- ([\d.]+)", row["expected"])
    bound = re.search(r"at most ([\d.e+-]+)", row["expected"].replace("order at most", "order below"))
    near = [0.0]
    if order and row["observed_order"] is not None and not row["remark"]:
        near.append((float(order[1]) - row["observed_order"]) / float(order[2]))
    if bound and row["error"] is not None:
        near.append(row["error"] / float(bound[1]))
    return max(near)


def summary(report):
    """The lines of the short table: one for each beginning of the cases' names."""
    groups = {}
    for row in report["rows"]:
        groups.setdefault(row["name"].split("-")[0], []).append(row)
    yield "| `swell verify` | cases | rows | pass | s | nearest to what it must not pass |"
    yield "|---|---|---|---|---|---|"
    for name, rows in groups.items():
        worst = max(rows, key=closeness)
        rate = f", order {worst['observed_order']:.2f}" if worst["observed_order"] is not None else ""
        yield (f"| {name} | {len({row['name'] for row in rows})} | {len(rows)} | {sum(row['passed'] for row in rows)} | "
               f"{sum(row['seconds'] for row in rows):.0f} | {worst['name']}, {worst['element']} of order {worst['order']}, N = {worst['cells']}: "
               f"{worst['error']:.3g}{rate} ({worst['expected']}) |")
    for device, rows in report.get("others", {}).items():
        yield ""
        yield f"On {device}, {sum(row['passed'] for row in rows)} of {len(rows)} rows pass."

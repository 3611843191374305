// SPDX-License-Identifier: Apache-2.0
// `mpirun -n R swell bench ranks`: how fast messages between ranks are.
#pragma once

namespace swell {

void bench_ranks(bool json);

}  // namespace swell

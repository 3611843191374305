// SPDX-License-Identifier: Apache-2.0
// Before a loop over places whose results may take the place of what it reads, each its own.
#if SIMT
#define TOGETHER
#else
#define TOGETHER _Pragma("GCC ivdep")
#endif


// SPDX-License-Identifier: Apache-2.0
// TOGETHER: before a loop over places whose results may take the place of what it reads, each its own.
// MANY: a function of such a loop.
#if SIMT
#define TOGETHER
#define MANY(name) ex_##name
#else
#define TOGETHER _Pragma("GCC ivdep")
#define MANY(name) many_##name
#endif


// SPDX-License-Identifier: Apache-2.0
// TOGETHER: before a loop over places whose results may take the place of what it reads, each its own.
// MANY: a function of such a loop.
// A_LOOP: before one that stays one; compilers would take half a minute over nodes of curved hexahedra.
#if SIMT
#define TOGETHER
#define A_LOOP
#define MANY(name) ex_##name
#else
#define TOGETHER _Pragma("GCC ivdep")
#define A_LOOP _Pragma("GCC unroll 1")
#define MANY(name) many_##name
#endif


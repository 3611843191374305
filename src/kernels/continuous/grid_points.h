// SPDX-License-Identifier: Apache-2.0
// The passes of the fixed grid on GPUs. A group takes THREADS places of the planes, one of TILES, through the
// planes of one of SLABS: neighbours are read by the same group soon after, and the planes at hand are kept. KEEPS: p and r stay
// in the cache from pass to pass. Data that are read once bypass it, and grid_advance begins where grid_direct has ended.

#if SLAB
#define PLANES_OF(slab) const int first = (int)FIRST_PLANE(slab), last = (int)END_PLANE(slab)
#else
#define PLANES_OF(slab) \
  const int first = (int)((INDEX)NZ * (slab) / SLABS), last = (int)((INDEX)NZ * ((slab) + 1) / SLABS)
#endif
#define GROUPS (TILES * SLABS)
#define COLUMN(group)                                                                                       \
  const int place = (int)(group % TILES) * THREADS + THREAD, inside = place < NX * NY;                      \
  const int i = place % NX, j = place / NX;                                                                 \
  PLANES_OF(group / TILES);                                                                                 \
  const INDEX right = STEP_UP(i, NX, 1, 1), left = STEP_DOWN(i, NX, 1, 1);                                  \
  const INDEX up = STEP_UP(j, NY, 2, NX), down = STEP_DOWN(j, NY, 2, NX)
#define CLASS_OF(i, j, k) (CLASS(i, NX, 1) + 3 * CLASS(j, NY, 2) + 9 * CLASS_Z(k))
// The coefficients of this thread's vertices, which change only with the first and the last plane.
#if VARYING
#define COEFFICIENTS const scalar *c = 0
#define MOVE_COEFFICIENTS(k)
#else
#define COEFFICIENTS    \
  scalar c[TERMS + 1];  \
  int z_class = -1
// The last one is the inverse of the first.
#define MOVE_COEFFICIENTS(k)                                                                          \
  if (CLASS_Z(k) != z_class) {                                                                        \
    z_class = CLASS_Z(k);                                                                             \
    UNROLL for (int n = 0; n < TERMS; ++n) c[n] = coefficient[CLASS_OF(i, j, k) * TERMS + n];         \
    c[TERMS] = 1.0 / c[0];                                                                            \
  }
#endif
// Whether a vertex has a row of its own: every vertex where `all`.
#define ROW(k) (all || !(GIVEN(i, NX, 1) || GIVEN(j, NY, 4) || GIVEN_Z(k)))

// The sums over the group of one and two numbers, the same in each thread; `part` has room for two numbers a thread.
FUNCTION total group_sum(LOCAL total *part, const total value)
{
  part[THREAD] = value;
  BARRIER;
  for (int half_of = THREADS / 2; half_of > 0; half_of /= 2) {
    if (THREAD < half_of) part[THREAD] += part[THREAD + half_of];
    BARRIER;
  }
  const total sum = part[0];
  BARRIER;
  return sum;
}

FUNCTION void group_sums(LOCAL total *part, total *a, total *b)
{
  part[2 * THREAD] = *a;
  part[2 * THREAD + 1] = *b;
  BARRIER;
  for (int half_of = THREADS; half_of > 1; half_of /= 2) {
    for (int n = THREAD; n < half_of; n += THREADS) part[n] += part[n + half_of];
    BARRIER;
  }
  *a = part[0];
  *b = part[1];
  BARRIER;
}

FUNCTION total chunk_sum(GLOBAL const total *partial GRID_PARAMETERS)
{
  total sum = 0;
  for (int n = THREAD; n < GROUPS; n += THREADS) sum += partial[n];
  return sum;
}

// The numbers of a plane that a vertex of the next or the last one may ask for: itself, +x, +y, -x, -y, +xy, -xy.
#define PLANE_TERMS (TERMS == 15 ? 7 : 5)
// Where a plane lies; those beyond the ends are zeros, or copies of what other ranks have.
#define PLANE_AT(k) (FIRST + (INDEX)(!WRAPS_Z ? (k) : (k) < 0 ? (k) + NZ : (k) < NZ ? (k) : (k) - NZ) * PLANE + place)

FUNCTION void plane_at(GLOBAL const scalar *p, const INDEX right, const INDEX left, const INDEX up, const INDEX down, scalar *u)
{
  u[0] = p[0];
  u[1] = p[right];
  u[2] = p[up];
  u[3] = p[left];
  u[4] = p[down];
#if TERMS == 15
  u[5] = p[right + up];
  u[6] = p[left + down];
#endif
}

// The terms of a vertex from its plane and the two beside it.
FUNCTION void terms_of(const scalar *behind, const scalar *here, const scalar *ahead, real *u)
{
  u[0] = here[0];
  u[1] = here[1];
  u[2] = here[2];
  u[3] = ahead[0];
  u[HALF + 1] = here[3];
  u[HALF + 2] = here[4];
  u[HALF + 3] = behind[0];
#if TERMS == 15
  u[4] = here[5];
  u[5] = ahead[1];
  u[6] = ahead[2];
  u[7] = ahead[5];
  u[HALF + 4] = here[6];
  u[HALF + 5] = behind[3];
  u[HALF + 6] = behind[4];
  u[HALF + 7] = behind[6];
#endif
}

#if VARYING
// The brick that has this vertex as its corner: its place along an axis, and whether there is one.
#define BRICK(i, n, bit, back) ((i) - (back) + ((PERIODIC & (bit)) && (back) > (i) ? (n) : 0))
#define OVER_TETRAHEDRA(act)                                                                             \
  UNROLL for (int corner = 0; corner < 8; ++corner)                                                      \
  {                                                                                                      \
    const int brick_x = BRICK(i, NX, 1, corner & 1), brick_y = BRICK(j, NY, 2, corner >> 1 & 1),         \
              brick_z = LAYER(k - (corner >> 2));                                                        \
    if (brick_x < 0 || brick_y < 0 || brick_z < 0 || brick_x >= BRICKS(NX, 1) || brick_y >= BRICKS(NY, 2) || \
        brick_z >= LAYERS)                                                                               \
      continue;                                                                                          \
    const int m = corner_bits[corner];                                                                   \
    UNROLL for (int w = 0; w < 6; ++w)                                                                   \
    {                                                                                                    \
      if (way_corner[w][m] != corner) continue;                                                          \
      const scalar conductivity = CONDUCTIVITY(w, brick_x, brick_y, brick_z);                            \
      const scalar capacity = TERMS == 15 ? CAPACITY(w, brick_x, brick_y, brick_z) : 0.0;                \
      act;                                                                                               \
    }                                                                                                    \
  }
#endif

FUNCTION scalar product_at(const real *u, const scalar *c, GLOBAL const scalar *number, const int i, const int j,
                           const int k, const scalar a, const scalar b GRID_PARAMETERS)
{
  scalar sum = 0.0;
#if VARYING
  OVER_TETRAHEDRA(sum += way_product(w, m, u, conductivity, capacity, a, b GRID_ARGUMENTS))
#else
  UNROLL for (int n = 0; n < TERMS; ++n) sum += c[n] * u[n];
#endif
  return sum;
}

// A thread has three planes at hand and asks for the next one before it needs it: from plane k on, `turn` being 1 or -1.
#define BEGIN_PLANES(p, k, turn)                                       \
  plane_at((p) + PLANE_AT((k) - (turn)), right, left, up, down, behind); \
  plane_at((p) + PLANE_AT(k), right, left, up, down, here);              \
  plane_at((p) + PLANE_AT((k) + (turn)), right, left, up, down, ahead)
#define NEXT_PLANES(next)                                 \
  UNROLL for (int n = 0; n < PLANE_TERMS; ++n) {          \
    behind[n] = here[n];                                  \
    here[n] = ahead[n];                                   \
    ahead[n] = (next)[n];                                 \
  }

KERNEL void grid_apply(GLOBAL const scalar *RESTRICT x, GLOBAL scalar *RESTRICT y, GLOBAL const scalar *coefficient,
                       GLOBAL const scalar *number, const scalar a, const scalar b, const int all GRID_PARAMETERS)
{
  GROUP(group);
  COLUMN(group);
  COEFFICIENTS;
  if (inside) {
    scalar behind[PLANE_TERMS], here[PLANE_TERMS], ahead[PLANE_TERMS];
    BEGIN_PLANES(x, first, 1);
    for (int k = first; k < last; ++k) {
      real u[TERMS];
      scalar next[PLANE_TERMS];
      plane_at(x + PLANE_AT(k + 1 < last ? k + 2 : last), right, left, up, down, next);
      MOVE_COEFFICIENTS(k)
      terms_of(behind, here, ahead, u);
      y[PLANE_AT(k)] = ROW(k) ? product_at(u, c, number, i, j, k, a, b GRID_ARGUMENTS) : 0.0;
      NEXT_PLANES(next)
    }
  }
}

KERNEL void grid_diagonal(GLOBAL scalar *y, GLOBAL const scalar *coefficient, GLOBAL const scalar *number, const scalar a,
                          const scalar b GRID_PARAMETERS)
{
  GROUP(group);
  COLUMN(group);
  const int all = 0;
  if (inside)
    for (int k = first; k < last; ++k) {
      scalar sum = 0.0;
#if VARYING
      OVER_TETRAHEDRA(sum += way_diagonal(w, m, conductivity, capacity, a, b GRID_ARGUMENTS))
#else
      sum = coefficient[CLASS_OF(i, j, k) * TERMS];
#endif
      y[FIRST + (INDEX)k * PLANE + place] = ROW(k) ? sum : 0.0;
    }
}

#if VARYING
// The tetrahedra whose material is not above 0.
KERNEL void grid_check(GLOBAL total *bad, GLOBAL const scalar *number GRID_PARAMETERS)
{
  SHARED(memory);
  GROUP(group);
  COLUMN(group);
  total count = 0;
  if (inside && i < BRICKS(NX, 1) && j < BRICKS(NY, 2))
    for (int k = first; k < last && LAYER(k) < LAYERS; ++k)
      UNROLL for (int w = 0; w < 6; ++w) {
        const scalar conductivity = CONDUCTIVITY(w, i, j, LAYER(k));
        const scalar capacity = TERMS == 15 ? CAPACITY(w, i, j, LAYER(k)) : 1.0;
        if (!(conductivity > 0.0) || conductivity - conductivity != 0.0) count += 1;
        if (!(capacity > 0.0) || capacity - capacity != 0.0) count += 1;
      }
  const total sum = group_sum((LOCAL total *)memory, count);
  if (THREAD == 0) bad[group] = sum;
}
#endif

// Corners of a brick's lower side that an energy reads: the vertex, +x, +y, +xy.
#if VARYING || TERMS == 15
#define CORNERS 4
#else
#define CORNERS 3
#endif

// p = d r + beta old and energy[group] = p . A p. At given values r and old are 0. p at the neighbours is found again by each
// who needs it, from values that lie in the caches; those of the next plane are prefetched a plane ahead, and those of the
// first before the sums are known. Copies of what other ranks have are made of copies.
#if KEEPS
#define READ_ONCE(from) stream_load(from)
#define WRITE_ONCE(to, value) stream_store(to, value)
#else
#define READ_ONCE(from) (*(from))
#define WRITE_ONCE(to, value) (*(to) = (value))
#endif
#define CORNERS_AT(k)                                                   \
  UNROLL for (int n = 0; n < CORNERS; ++n) {                            \
    next_r[n] = r[PLANE_AT(k) + step[n]];                               \
    next_old[n] = READ_ONCE(old + PLANE_AT(k) + step[n]);               \
  }

KERNEL void grid_direct(GLOBAL const scalar *RESTRICT r, GLOBAL const scalar *RESTRICT old, GLOBAL scalar *RESTRICT p,
                        GLOBAL const scalar *RESTRICT inverse, GLOBAL const scalar *coefficient, GLOBAL const scalar *number,
                        GLOBAL const total *before, GLOBAL total *after, GLOBAL total *history, GLOBAL const total *products,
                        GLOBAL total *energy, const scalar a, const scalar b, const int known GRID_PARAMETERS)
{
  SHARED(memory);
  GROUP(group);
  LOCAL total *part = (LOCAL total *)memory;
  COLUMN(group);
  const INDEX step[4] = {0, right, up, right + up};
  scalar next_r[CORNERS], next_old[CORNERS];
  if (inside) CORNERS_AT(first)
  total rz = 0, rr = 0;
  if (!known) {
    rz = chunk_sum(products GRID_ARGUMENTS);
    rr = chunk_sum(products + GROUPS GRID_ARGUMENTS);
    group_sums(part, &rz, &rr);
  }
  const scalar beta = (scalar)next_beta(before, after, history, rz, rr, known, group == 0 && THREAD == 0);
  total sum = 0;
  if (inside) {
    scalar here[4], ahead[4] = {0.0, 0.0, 0.0, 0.0}, d[4] = {0.0, 0.0, 0.0, 0.0};
    int known_class = -1;
    COEFFICIENTS;
    for (int k = first - 1; k < last; ++k) {
      for (int n = 0; n < CORNERS; ++n) here[n] = ahead[n];
      // The plane ahead; none beyond the last one.
      const int next = k + 1 < NZ || ABOVE ? k + 1 : 0;
      if (k + 1 < NZ || WRAPS_Z || ABOVE) {
#if !VARYING
        if (CLASS_Z(next) != known_class) {
          known_class = CLASS_Z(next);
          const int ends[2][2] = {{CLASS(i, NX, 1), CLASS(i + 1 == NX ? i : i + 1, NX, 1)},
                                  {CLASS(j, NY, 2), CLASS(j + 1 == NY ? j : j + 1, NY, 2)}};
          UNROLL for (int n = 0; n < CORNERS; ++n)
            d[n] = 1.0 / coefficient[(ends[0][n & 1] + 3 * ends[1][n >> 1] + 9 * known_class) * TERMS];
        }
#endif
        UNROLL for (int n = 0; n < CORNERS; ++n) {
#if VARYING
          d[n] = inverse[PLANE_AT(next) + step[n]];
#endif
          ahead[n] = d[n] * next_r[n] + beta * next_old[n];
        }
      } else {
        UNROLL for (int n = 0; n < CORNERS; ++n) ahead[n] = 0.0;
      }
      CORNERS_AT(k + 1 < last ? k + 2 : last)
      if (k < first) continue;
      p[PLANE_AT(k)] = here[0];
#if VARYING
      if (i < BRICKS(NX, 1) && j < BRICKS(NY, 2) && LAYER(k) < LAYERS) {
        const real v[8] = {here[0], here[1], here[2], here[3], ahead[0], ahead[1], ahead[2], ahead[3]};
        UNROLL for (int w = 0; w < 6; ++w)
          sum += way_energy(w, v, CONDUCTIVITY(w, i, j, LAYER(k)), TERMS == 15 ? CAPACITY(w, i, j, LAYER(k)) : 0.0, a,
                            b GRID_ARGUMENTS);
      }
#else
      MOVE_COEFFICIENTS(k)
      scalar half_of = 0.5 * c[0] * here[0] + c[1] * here[1] + c[2] * here[2] + c[3] * ahead[0];
#if TERMS == 15
      half_of += c[4] * here[3] + c[5] * ahead[1] + c[6] * ahead[2] + c[7] * ahead[3];
#endif
      sum += 2.0 * here[0] * half_of;
#endif
    }
#if SLAB
    if (ABOVE && last == NZ) p[PLANE_AT(NZ)] = ahead[0];
    if (BELOW && first == 0) {
#if VARYING
      const scalar under = inverse[PLANE_AT(-1)];
#else
      const scalar under = 1.0 / coefficient[CLASS_OF(i, j, -1) * TERMS];
#endif
      p[PLANE_AT(-1)] = under * r[PLANE_AT(-1)] + beta * old[PLANE_AT(-1)];
    }
#endif
  }
  const total all_sum = group_sum(part, sum);
  if (THREAD == 0) LEAVE_SUM(energy[group], all_sum);
}

// x += alpha p, r -= alpha A p; products = r . d r and r . r
KERNEL void grid_advance(GLOBAL scalar *RESTRICT x, GLOBAL scalar *RESTRICT r, GLOBAL const scalar *RESTRICT p,
                         GLOBAL const scalar *RESTRICT inverse, GLOBAL const scalar *coefficient, GLOBAL const scalar *number,
                         GLOBAL total *scalars, GLOBAL const total *energy, GLOBAL total *products, const scalar a,
                         const scalar b GRID_PARAMETERS)
{
  SHARED(memory);
  GROUP(group);
  LOCAL total *part = (LOCAL total *)memory;
  COLUMN(group);
  const int all = 0, turn = KEEPS ? -1 : 1, begin = KEEPS ? last - 1 : first;
  scalar behind[PLANE_TERMS], here[PLANE_TERMS], ahead[PLANE_TERMS], next_x = 0.0, next_r = 0.0;
  // Asked for before alpha is known.
  if (inside) {
    BEGIN_PLANES(p, begin, turn);
    next_x = READ_ONCE(x + PLANE_AT(begin));
    next_r = r[PLANE_AT(begin)];
  }
  const scalar alpha = (scalar)next_alpha(scalars, group_sum(part, chunk_sum(energy GRID_ARGUMENTS)), group == 0 && THREAD == 0);
  total rz = 0, rr = 0;
  COEFFICIENTS;
  if (inside)
    for (int done = 1; done <= last - first; ++done) {
      const int k = begin + (done - 1) * turn, more = done < last - first ? turn : 0;
      const INDEX at = PLANE_AT(k);
      real u[TERMS];
      scalar next[PLANE_TERMS];
      const scalar own_x = next_x, own_r = next_r;
      plane_at(p + PLANE_AT(k + turn + more), right, left, up, down, next);
      next_x = READ_ONCE(x + PLANE_AT(k + more));
      next_r = r[PLANE_AT(k + more)];
      if (ROW(k)) {
        MOVE_COEFFICIENTS(k)
        terms_of(KEEPS ? ahead : behind, here, KEEPS ? behind : ahead, u);
        WRITE_ONCE(x + at, own_x + alpha * u[0]);
        const scalar residual = own_r - alpha * product_at(u, c, number, i, j, k, a, b GRID_ARGUMENTS);
        r[at] = residual;
#if VARYING
        rz += (total)residual * residual * inverse[at];
#else
        rz += (total)residual * residual * c[TERMS];
#endif
        rr += (total)residual * residual;
      }
      NEXT_PLANES(next)
    }
  group_sums(part, &rz, &rr);
  if (THREAD == 0) {
    products[group] = rz;
    products[GROUPS + group] = rr;
  }
}

// SPDX-License-Identifier: Apache-2.0
// Straight linear tetrahedra from the places of their vertices, in fans (cg/chains.hpp): cell t has the vertices c and d of the
// fan's axis and r_t, r_t+1 of its rim. With D = d - c, a = r - c, h = D x a and n = a_t x a_t+1 the gradient of u is
// ((u_d - u_c) n - (u_t - u_c) h_t+1 + (u_t+1 - u_c) h_t) / J, J = D . n. geometry = [unknown of a block][x, y, z, nothing];
// material = [batch][k / (6 |J|), rhoC |J| / 120][lane], 0 in empty slots; numbers count places of four scalars.

#define FAN CHAIN
#define WEIGHTS (2 - STEADY)
#define NUMBERS_OF(batch) (local + (batch) / FAN * (FAN + 3) * LANES)
#define WEIGHT_OF(t, i) load(material + ((batch + (t)) * WEIGHTS + (i)) * LANES)
// Scalars and numbers between asking for them and their use.
#define WEIGHTS_AHEAD 512
#define NUMBERS_AHEAD 1024

typedef scalar four __attribute__((vector_size(4 * sizeof(scalar)), aligned(sizeof(scalar)), may_alias));

struct Arrow {
  real x, y, z;
};
FUNCTION Arrow cross(Arrow a, Arrow b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
FUNCTION real dot(Arrow a, Arrow b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// A vertex of the fan as it is seen from c: where it is, and by how much its value differs.
struct Vertex {
  Arrow at;
  real value;
};
FUNCTION Vertex vertex(const scalar *u, GLOBAL const unsigned short *number)
{
  const scalar *from[LANES];
  real values[4];
  UNROLL for (int l = 0; l < LANES; ++l) from[l] = u + number[l];
  load_lanes<4>(from, values);
  return {{values[0], values[1], values[2]}, values[3]};
}
FUNCTION Vertex from_c(Vertex v, Vertex c)
{
  return {{v.at.x - c.at.x, v.at.y - c.at.y, v.at.z - c.at.z}, v.value - c.value};
}

FUNCTION void add_to(scalar *sum, GLOBAL const unsigned short *number, real y)
{
  UNROLL for (int l = 0; l < LANES; ++l) *(scalar *)((char *)sum + number[l] * (sizeof(scalar) / 4)) += lane(y, l);
}
// The numbers are read again where they are needed again: there are too many to be kept in registers.
#define FORGET(pointer) __asm__("" : "+r"(pointer))

// Places and values of the block's unknowns, those of empty slots behind them.
#define PLACE_BLOCK(u, value)                                                         \
  scalar u[4 * (MOST + 1)] __attribute__((aligned(64)));                              \
  for (int i = 0; i < block_unknowns; ++i) {                                          \
    four at = *(const four *)(geometry + 4 * (block_first + (INDEX)i));               \
    at[3] = (value);                                                                  \
    *(four *)(u + 4 * i) = at;                                                        \
    ONE_BY_ONE;                                                                       \
  }                                                                                   \
  for (int i = 0; i < 4; ++i) u[4 * MOST + i] = 0.0
// While a block is at work the places of the next one come nearer: three lines with every batch of fans, and some more for it.
#define NEXT_PLACES (geometry + 4 * (block_first + (INDEX)block_unknowns))

// x . y of a block, in four sums that do not wait for one another.
FUNCTION total dot_of_block(const scalar *u, const scalar *sum, int unknowns)
{
  total part[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= unknowns; i += 4) {
    UNROLL for (int k = 0; k < 4; ++k) part[k] += (total)u[4 * (i + k) + 3] * (total)sum[i + k];
    ONE_BY_ONE;
  }
  for (; i < unknowns; ++i) part[0] += (total)u[4 * i + 3] * (total)sum[i];
  return part[0] + part[1] + (part[2] + part[3]);
}

#define FOR_FANS(batch) for (INDEX batch = block * batches, batch##_end = batch + batches; batch < batch##_end; batch += FAN)

BLOCK_APPLY
{
  ITEMS(block)
  {
    OPEN_BLOCK;
    PLACE_BLOCK(u, x[unknown[block_first + i]]);
    GLOBAL const scalar *next = NEXT_PLACES;
    FOR_FANS(batch)
    {
      GLOBAL const unsigned short *number = NUMBERS_OF(batch);
      for (int i = 0; i < (FAN + 3) * LANES; i += 32) prefetch(number + NUMBERS_AHEAD + i);
      for (int i = 0; i < FAN * WEIGHTS; ++i) prefetch(material + (batch * WEIGHTS + i) * LANES + WEIGHTS_AHEAD);
      for (int i = 0; i < 3; ++i, next += 64 / sizeof(scalar)) prefetch(next);
      const Vertex c = vertex(u, number), d = from_c(vertex(u, number + LANES), c);
      Vertex r0 = from_c(vertex(u, number + 2 * LANES), c);
      Arrow h0 = cross(d.at, r0.at);
      real of_c = splat(0.0), of_d = splat(0.0), of_r = splat(0.0);
      UNROLL for (int t = 0; t < FAN; ++t) {
        const Vertex r1 = from_c(vertex(u, number + (3 + t) * LANES), c);
        const Arrow h1 = cross(d.at, r1.at), n = cross(r0.at, r1.at);
        const Arrow slope = {d.value * n.x - r0.value * h1.x + r1.value * h0.x,
                             d.value * n.y - r0.value * h1.y + r1.value * h0.y,
                             d.value * n.z - r0.value * h1.z + r1.value * h0.z};
        const real w = b * WEIGHT_OF(t, 0);
        real to_d = w * dot(slope, n), to_r0 = w * -dot(slope, h1), to_r1 = w * dot(slope, h0);
        of_c -= to_d + to_r0 + to_r1;
#if !STEADY
        if (a != 0.0) {
          // (1 + delta_ij) u_j, with values as differences to that of c.
          const real m = a * WEIGHT_OF(t, 1), to_c = m * (5.0 * c.value + d.value + r0.value + r1.value);
          of_c += to_c;
          to_d += to_c + m * d.value;
          to_r0 += to_c + m * r0.value;
          to_r1 += to_c + m * r1.value;
        }
#endif
        of_d += to_d;
        FORGET(number);
        add_to(sum, number + (2 + t) * LANES, of_r + to_r0);
        of_r = to_r1;
        r0 = r1, h0 = h1;
      }
      add_to(sum, number + (2 + FAN) * LANES, of_r);
      add_to(sum, number + LANES, of_d);
      add_to(sum, number, of_c);
    }
    close_block(sum, head + 4 * block, unknown, y, sums, count);
    dots[block] = dot_of_block(u, sum, block_unknowns);
  }
}

BLOCK_DIAGONAL
{
  ITEMS(block)
  {
    OPEN_BLOCK;
    PLACE_BLOCK(u, 0.0);
    FOR_FANS(batch)
    {
      GLOBAL const unsigned short *number = NUMBERS_OF(batch);
      const Vertex c = vertex(u, number), d = from_c(vertex(u, number + LANES), c);
      Vertex r0 = from_c(vertex(u, number + 2 * LANES), c);
      for (int t = 0; t < FAN; ++t) {
        const Vertex r1 = from_c(vertex(u, number + (3 + t) * LANES), c);
        const Arrow h0 = cross(d.at, r0.at), h1 = cross(d.at, r1.at), n = cross(r0.at, r1.at);
        const Arrow all = {n.x - h1.x + h0.x, n.y - h1.y + h0.y, n.z - h1.z + h0.z};
        const real w = b * WEIGHT_OF(t, 0);
#if STEADY
        const real m = splat(0.0);
#else
        const real m = 2.0 * a * WEIGHT_OF(t, 1);
#endif
        add_to(sum, number, w * dot(all, all) + m);
        add_to(sum, number + LANES, w * dot(n, n) + m);
        add_to(sum, number + (2 + t) * LANES, w * dot(h1, h1) + m);
        add_to(sum, number + (3 + t) * LANES, w * dot(h0, h0) + m);
        r0 = r1;
      }
    }
    close_block(sum, head + 4 * block, unknown, y, sums, count);
  }
}

// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients (Hestenes and Stiefel 1952; Shewchuk 1994, B3) with all scalars on the device. A pass leaves partial
// sums, a kernel of one item makes the scalars of them (kernels/solve/scalars.h). After convergence alpha and beta are 0: what
// was queued ahead then changes nothing.

// p = d r + beta p; d is the inverse of the diagonal
KERNEL void direct_jacobi(GLOBAL const scalar *d, GLOBAL const scalar *r, GLOBAL scalar *p, GLOBAL const total *scalars,
                          const INDEX count, const INDEX chunks)
{
  ITEMS(chunk)
  {
    const scalar beta = scalars[BETA];
    CHUNK(i, chunk, chunks, count) p[i] = d[i] * r[i] + beta * p[i];
  }
}

// p = z + beta p
KERNEL void direct(GLOBAL const scalar *z, GLOBAL scalar *p, GLOBAL const total *scalars, const INDEX count,
                   const INDEX chunks)
{
  ITEMS(chunk)
  {
    const scalar beta = scalars[BETA];
    CHUNK(i, chunk, chunks, count) p[i] = z[i] + beta * p[i];
  }
}

// x += alpha p, r -= alpha q; partial[chunk] = r . r over the first `owned`
KERNEL void advance(GLOBAL scalar *x, GLOBAL scalar *r, GLOBAL const scalar *p, GLOBAL const scalar *q,
                    GLOBAL const total *scalars, GLOBAL total *partial, const INDEX count, const INDEX owned,
                    const INDEX chunks)
{
  ITEMS(chunk)
  {
    const scalar alpha = scalars[ALPHA];
    CHUNK(i, chunk, chunks, count)
    {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    total rr = 0;
    SUM_OWNED(rr, i, chunk, chunks, count, owned, (total)r[i] * (total)r[i]);
    partial[chunks + chunk] = rr;
  }
}

// Advances x and r with z = d r: also partial[chunk] = r . d r
KERNEL void advance_jacobi(GLOBAL scalar *x, GLOBAL scalar *r, GLOBAL const scalar *p, GLOBAL const scalar *q,
                           GLOBAL const scalar *d, GLOBAL const total *scalars, GLOBAL total *partial, const INDEX count,
                           const INDEX owned, const INDEX chunks)
{
  ITEMS(chunk)
  {
    const scalar alpha = scalars[ALPHA];
    CHUNK(i, chunk, chunks, count)
    {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    total rr = 0, rz = 0;
    SUM_OWNED(rr, i, chunk, chunks, count, owned, (total)r[i] * (total)r[i]);
    SUM_OWNED(rz, i, chunk, chunks, count, owned, (total)r[i] * (total)r[i] * (total)d[i]);
    partial[chunk] = rz;
    partial[chunks + chunk] = rr;
  }
}

// r = b - q; partial[chunks + chunk] = r . r
KERNEL void residual(GLOBAL const scalar *b, GLOBAL const scalar *q, GLOBAL scalar *r, GLOBAL total *partial,
                     const INDEX count, const INDEX owned, const INDEX chunks)
{
  ITEMS(chunk)
  {
    CHUNK(i, chunk, chunks, count) r[i] = b[i] - q[i];
    total rr = 0;
    SUM_OWNED(rr, i, chunk, chunks, count, owned, (total)r[i] * (total)r[i]);
    partial[chunks + chunk] = rr;
  }
}

// partial[chunk] = r . z
KERNEL void dot_partial(GLOBAL const scalar *r, GLOBAL const scalar *z, GLOBAL total *partial, const INDEX count,
                        const INDEX chunks)
{
  ITEMS(chunk)
  {
    total rz = 0;
    SUM_CHUNK(rz, i, chunk, chunks, count, (total)r[i] * (total)z[i]);
    partial[chunk] = rz;
  }
}

// partial[chunk] = r . d r
KERNEL void dot_jacobi(GLOBAL const scalar *r, GLOBAL const scalar *d, GLOBAL total *partial, const INDEX count,
                       const INDEX chunks)
{
  ITEMS(chunk)
  {
    total rz = 0;
    SUM_CHUNK(rz, i, chunk, chunks, count, (total)r[i] * (total)r[i] * (total)d[i]);
    partial[chunk] = rz;
  }
}

// Sums of many chunks in few: sums[set * few + item]; an item for each chunk of each set.
KERNEL void fewer(GLOBAL const total *partial, GLOBAL total *sums, const INDEX chunks, const INDEX few)
{
  ITEMS(item)
  {
    const INDEX set = item / few, part = item % few;
    const INDEX begin = chunks * part / few, end = chunks * (part + 1) / few;
    sums[item] = summed(partial, set * chunks + begin, end - begin);
  }
}

// Before the first iteration. rr is compared with the square of tolerance times the larger of |b| and |r|.
KERNEL void begin_scalars(GLOBAL const total *partial, GLOBAL total *scalars, GLOBAL total *history, const INDEX few,
                          const double bb, const double tolerance)
{
  ITEMS(item)
  {
    const total rz = summed(partial, 0, few), rr = summed(partial, few, few);
    const total scale = rr > bb ? rr : (total)bb;
    scalars[RZ] = rz;
    scalars[RR] = rr;
    scalars[ALPHA] = scalars[BETA] = 0;
    scalars[TARGET] = (total)tolerance * (total)tolerance * scale;
    scalars[STATE] = rr <= scalars[TARGET] ? 1 : 0;
    scalars[COUNT] = scalars[BROKEN] = 0;
    history[0] = rr;
  }
}

KERNEL void make_alpha(GLOBAL const total *partial, GLOBAL total *scalars, const INDEX few)
{
  ITEMS(item) scalars[ALPHA] = next_alpha(scalars, summed(partial, 0, few), 1);
}

// How far fused passes have come, for the host. They find the scalars themselves, so that where it looks changes no bit.
KERNEL void look(GLOBAL const total *partial, GLOBAL const total *scalars, GLOBAL total *seen, GLOBAL total *history,
                 const INDEX few)
{
  ITEMS(item) next_beta(scalars, seen, history, summed(partial, 0, few), summed(partial, few, few), 0, 1);
}

KERNEL void make_beta(GLOBAL const total *partial, GLOBAL total *scalars, GLOBAL total *history, const INDEX few)
{
  ITEMS(item) next_beta(scalars, scalars, history, summed(partial, 0, few), summed(partial, few, few), 0, 1);
}

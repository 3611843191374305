// SPDX-License-Identifier: Apache-2.0
// The kernels of the modal operator on affine elements, after kernels/modal/rate.h. Constants: DIM, FIELDS, MATERIALS, MODES,
// FACES, FACE_VALUES, WIDTH, ORDER, COEFFICIENTS (modes of a coefficient), *_ENTRIES with their tables {row, column,
// coefficient}. Arrays: geometry[d][axis] = grad r_d; material[i]; face_material: [face][i] behind the face of each element, or
// records [value][i] of all faces where material varies; neighbour[face][record, orientation].

#define RATE 0
#define STAGE 1
#define CORRECT 2

KERNEL void traces(GLOBAL const scalar *q, GLOBAL scalar *faces, GLOBAL const scalar *numbers, GLOBAL const int *places)
{
  ITEMS(item)
  {
    PRIVATE_ELEMENT(own, q);
    trace_records(numbers, places, own, faces, item);
  }
  RECORDS_FENCE
}

// RATE: next = rate. STAGE: residual = a residual + dt rate, next = q + b residual. CORRECT: next = base + rate.
KERNEL void operate(GLOBAL const scalar *q, GLOBAL const scalar *faces, GLOBAL const scalar *base, GLOBAL scalar *next,
                    GLOBAL scalar *residual, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                    GLOBAL const scalar *face_material, GLOBAL const scalar *coefficients, GLOBAL const int *neighbour,
                    GLOBAL const scalar *source, GLOBAL const scalar *numbers, GLOBAL const int *places, const INDEX ending,
                    const scalar a, const scalar b, const scalar dt)
{
  ITEMS(item)
  {
    real rate[ELEMENT], g[DIM * DIM], m[MATERIALS];
    const LANED *g_of = OF_BATCH(geometry, DIM * DIM), *m_of = OF_BATCH(material, MATERIALS);
    UNROLL for (int i = 0; i < DIM * DIM; ++i) g[i] = AT(g_of, i);
    UNROLL for (int i = 0; i < MATERIALS; ++i) m[i] = AT(m_of, i);
    PRIVATE_ELEMENT(own, q);
    COEFFICIENTS_OF_ITEM(changing);
    find_rate(own, faces, face_material, changing, OF_BATCH_INT(neighbour, 2 * FACES), OF_BATCH(source, ELEMENT), item, g, m,
              numbers, places, rate);
    LANED *to = OF_BATCH(next, ELEMENT);
    if (ending == RATE) {
      for (int i = 0; i < ELEMENT; ++i) AT(to, i) = rate[i];
    } else if (ending == CORRECT) {
      const LANED *before = OF_BATCH(base, ELEMENT);
      for (int i = 0; i < ELEMENT; ++i) AT(to, i) = AT(before, i) + rate[i];
    } else {
      LANED *left = OF_BATCH(residual, ELEMENT);
      for (int i = 0; i < ELEMENT; ++i) {
        const real r = a * AT(left, i) + dt * rate[i];
        AT(left, i) = r;
        AT(to, i) = own[i] + b * r;
      }
    }
  }
}

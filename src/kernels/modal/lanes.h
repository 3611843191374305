// SPDX-License-Identifier: Apache-2.0
// Memory as the modal kernels see it. Values of elements lie [batch][number][WIDTH elements]: on a CPU an item is a batch and a
// `real` holds its elements, on a GPU an item is an element and its values lie WIDTH apart. Traces lie record by record,
// [element][face][value][field], ghost records behind, so that a neighbour's trace is one piece of memory.
// Tables: face_partner[orientation][value], face_sign[orientation][value] (ModalElement).

#define ELEMENT (FIELDS * MODES)
#define TRACE (FACE_VALUES * FIELDS)

#if SIMT

#define LANED GLOBAL scalar
#define LANED_INT GLOBAL int
#define OF_BATCH(array, count) ((array) + item / WIDTH * (INDEX)((count) * WIDTH) + item % WIDTH)
#define OF_BATCH_INT OF_BATCH
#define AT(p, i) (p)[(INDEX)(i) * WIDTH]
// The numbers of the item's element, where arithmetic reads them again and again.
#define PRIVATE_ELEMENT(name, array) \
  real name[ELEMENT];                \
  load_element(OF_BATCH(array, ELEMENT), name)

typedef struct {
  GLOBAL const scalar *at;
  int code;
} Record;

FUNCTION void own_record(GLOBAL const scalar *all, INDEX item, int face, int size, Record *record)
{
  record->at = all + (item * FACES + face) * size;
  record->code = 0;
}

FUNCTION void record_behind(GLOBAL const scalar *all, const LANED_INT *neighbour, int face, int size, Record *record)
{
  record->at = all + (INDEX)AT(neighbour, 2 * face) * size;
  record->code = AT(neighbour, 2 * face + 1);
}

FUNCTION void read_fields(const Record *record, int value, real *out)
{
  GLOBAL const scalar *from = record->at + face_partner[record->code][value] * FIELDS;
#if SIGNED_VALUES
  const real sign = face_sign[record->code][value];
  UNROLL for (int i = 0; i < FIELDS; ++i) out[i] = sign * from[i];
#else
  UNROLL for (int i = 0; i < FIELDS; ++i) out[i] = from[i];
#endif
}

FUNCTION void read_materials(const Record *record, int value, real *out)
{
  GLOBAL const scalar *from = record->at + face_partner[record->code][value] * MATERIALS;
  UNROLL for (int i = 0; i < MATERIALS; ++i) out[i] = from[i];
}

#define ask_for_element(next)
#define ask_for_records(all, next)

#define RECORDS_BEGIN(all, item)
#define RECORDS_OF(all, item) ((all) + (item) * (FACES * TRACE))
#define RECORDS_END(all, item)
#define RECORDS_FENCE

FUNCTION void write_fields(GLOBAL scalar *records, int face, int value, const real *in)
{
  GLOBAL scalar *to = records + face * TRACE + value * FIELDS;
  UNROLL for (int i = 0; i < FIELDS; ++i) to[i] = in[i];
}

#else

#define LANED real
#define LANED_INT int
#define OF_BATCH(array, count) ((real *)(array) + item * (INDEX)(count))
#define OF_BATCH_INT(array, count) ((array) + item * (INDEX)(count) * LANES)
#define AT(p, i) (p)[i]
#define PRIVATE_ELEMENT(name, array) const real *name = OF_BATCH(array, ELEMENT)

struct Record {
  const scalar *at[LANES];
  int code[LANES];
  real turned;  // -1 in lanes whose line runs the other way
};

FUNCTION void own_record(const scalar *all, INDEX item, int face, int size, Record *record)
{
  UNROLL for (int l = 0; l < LANES; ++l) {
    record->at[l] = all + ((item * LANES + l) * FACES + face) * size;
    record->code[l] = 0;
  }
  record->turned = splat(1.0);
}

FUNCTION void record_behind(const scalar *all, const int *neighbour, int face, int size, Record *record)
{
  UNROLL for (int l = 0; l < LANES; ++l) {
    record->at[l] = all + (INDEX)neighbour[(2 * face) * LANES + l] * size;
    record->code[l] = neighbour[(2 * face + 1) * LANES + l];
    set_lane(record->turned, l, record->code[l] == 0 ? 1.0 : -1.0);
  }
}

FUNCTION void read_fields(const Record *record, int value, real *out)
{
  const scalar *lane[LANES];
#if SIGNED_VALUES && DIM == 2
  UNROLL for (int l = 0; l < LANES; ++l) lane[l] = record->at[l] + value * FIELDS;
  load_lanes<FIELDS>(lane, out);
  if (value % 2 == 1)
    UNROLL for (int i = 0; i < FIELDS; ++i) out[i] *= record->turned;
#else
  UNROLL for (int l = 0; l < LANES; ++l) lane[l] = record->at[l] + face_partner[record->code[l]][value] * FIELDS;
  load_lanes<FIELDS>(lane, out);
#if SIGNED_VALUES
  real sign;
  UNROLL for (int l = 0; l < LANES; ++l) set_lane(sign, l, face_sign[record->code[l]][value]);
  UNROLL for (int i = 0; i < FIELDS; ++i) out[i] *= sign;
#endif
#endif
}

FUNCTION void read_materials(const Record *record, int value, real *out)
{
  const scalar *lane[LANES];
  UNROLL for (int l = 0; l < LANES; ++l) lane[l] = record->at[l] + face_partner[record->code[l]][value] * MATERIALS;
  load_lanes<MATERIALS>(lane, out);
}

// Prefetches the data of the next batch while this one is computed.
FUNCTION void ask_for_element(const real *next)
{
  for (int i = 0; i < ELEMENT; ++i) prefetch(next + i);
}

FUNCTION void ask_for_records(const scalar *all, const int *next)
{
  constexpr int line = 64 / (int)sizeof(scalar);
  for (int face = 0; face < FACES; ++face)
    for (int l = 0; l < LANES; ++l) {
      const scalar *record = all + (INDEX)next[2 * face * LANES + l] * TRACE;
      for (int i = 0; i < TRACE; i += line) prefetch(record + i);
    }
}

// The records of a batch are one piece of memory: made here, then written line by line, past the caches where STREAM says so.
#define RECORDS_BEGIN(all, item) real records[FACES * TRACE]
#define RECORDS_OF(all, item) ((scalar *)records)
#define RECORDS_END(all, item) write_records(all, item, records)
#if STREAM
#define RECORDS_FENCE stream_fence();
#else
#define RECORDS_FENCE
#endif

FUNCTION void write_records(scalar *all, INDEX item, const real *records)
{
  real *to = (real *)all + item * (FACES * TRACE);
  for (int i = 0; i < FACES * TRACE; ++i)
#if STREAM
    stream_store(to + i, records[i]);
#else
    to[i] = records[i];
#endif
}

FUNCTION void write_fields(scalar *records, int face, int value, const real *in)
{
  scalar *lane[LANES];
  UNROLL for (int l = 0; l < LANES; ++l) lane[l] = records + (l * FACES + face) * TRACE + value * FIELDS;
  store_lanes<FIELDS>(lane, in);
}

#endif

// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/cpu_device.hpp"

#include "folder.hpp"
#include "widths.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

namespace swell {
namespace {

// out[f][i] = 10 in[i][f] by a transpose there, back[i][f] = in[i][f] + 1 by one back. Items begin one scalar behind a
// whole vector and have one scalar behind their fields, so that nothing is aligned and a scalar too much is seen.
// Vectors stream out, so that those words are tried too.
constexpr const char* lanes_text = R"(
template <int F> FUNCTION void there_and_back(const scalar *in, scalar *out, scalar *back) {
  ITEMS(i) {
    const scalar *from[LANES];
    scalar *to[LANES];
    for (int l = 0; l < LANES; ++l) {
      from[l] = in + 1 + (i * LANES + l) * (F + 1);
      to[l] = back + 1 + (i * LANES + l) * (F + 1);
      prefetch(to[l]);
    }
    real x[F];
    load_lanes<F>(from, x);
    for (int f = 0; f < F; ++f) stream_store((real *)out + i * F + f, 10.0 * x[f]);
    for (int f = 0; f < F; ++f) x[f] += 1.0;
    store_lanes<F>(to, x);
  }
  stream_fence();
}
)";

template <class Scalar>
void expect_transposes(Device& device, Precision precision, bool vectors,
                       const std::vector<int>& field_counts) {
  ProgramText text{"lanes", lanes_text, {}, precision, vectors};
  for (const int fields : field_counts) {
    text.kernels.push_back(fmt::format("turn{}", fields));
    text.text += fmt::format("KERNEL void turn{0}(GLOBAL const scalar *in, GLOBAL scalar *out, GLOBAL scalar *back) {{ "
                             "there_and_back<{0}>(in, out, back); }}\n", fields);
  }
  const auto program = device.compile(text);
  for (const int fields : field_counts) {
    const int lanes = vectors ? device.lanes(precision) : 1, batches = 3, items = batches * lanes;
    const std::size_t guarded = 1 + static_cast<std::size_t>(items) * (fields + 1);
    std::vector<Scalar> in(guarded), out(items * fields), back(guarded);
    for (std::size_t i = 0; i < guarded; ++i) in[i] = static_cast<Scalar>(i);
    const auto o_in = device.allocate(guarded * sizeof(Scalar), "in"), o_back = device.allocate(o_in->bytes(), "back"),
               o_out = device.allocate(out.size() * sizeof(Scalar), "out");
    o_in->write(in.data(), o_in->bytes());
    device.queue().launch(program->kernel(fmt::format("turn{}", fields)), batches, {*o_in, *o_out, *o_back});
    o_out->read(out.data(), o_out->bytes());
    o_back->read(back.data(), o_back->bytes());
    EXPECT_EQ(back[0], 0);
    for (int i = 0; i < items; ++i) {
      const std::size_t at = 1 + static_cast<std::size_t>(i) * (fields + 1);
      for (int f = 0; f < fields; ++f) {
        const std::string where = fmt::format("item {}, field {} of {}", i, f, fields);
        ASSERT_EQ(out[(i / lanes * fields + f) * lanes + i % lanes], 10 * in[at + f]) << where;
        ASSERT_EQ(back[at + f], in[at + f] + 1) << where;
      }
      ASSERT_EQ(back[at + fields], 0) << "behind item " << i << " of " << fields << " fields";
    }
  }
}

TEST(Lanes, TransposeAnyNumberOfFieldsThereAndBack) {
  TemporaryCache cache;
  for (const bool vectors : {true, false}) {
    CpuDevice device(1);
    expect_transposes<double>(device, Precision::double_, vectors, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    expect_transposes<float>(device, Precision::single_, vectors, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  }
}

// Each way through the text once: too few fields for a piece, a whole one, a last one that overlaps.
TEST(Lanes, TransposeWithNarrowVectors) {
  TemporaryCache cache;
  for (const int width : usable_widths()) {
    SCOPED_TRACE(width);
    CpuDevice device(1, width);
    expect_transposes<double>(device, Precision::double_, true, {1, 3});
    expect_transposes<float>(device, Precision::single_, true, {1, 3, 6});
  }
}

}  // namespace
}  // namespace swell

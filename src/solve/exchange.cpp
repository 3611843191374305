// SPDX-License-Identifier: Apache-2.0
#include "solve/exchange.hpp"

#include <cstdlib>
#include <string_view>

#include "solve/vectors.hpp"

namespace swell {

namespace {

// On a CPU messages and kernels share the memory anyway. SWELL_EXCHANGE=staged sends through the host's memory where the
// library wrongly claims to support device memory.
bool is_direct(const Device& device, const Ranks& ranks) {
  if (device.info().backend == "cpu") return true;
  const char* wish = std::getenv("SWELL_EXCHANGE");
  if (wish != nullptr && std::string_view(wish) == "staged") return false;
  return device.info().backend == "cuda" && ranks.takes_cuda_memory();
}

}  // namespace

HaloExchange::HaloExchange(Device& device, Precision precision, Ranks& ranks, const std::vector<HaloRows>& rows,
                           std::int64_t width, std::int64_t stride, HaloExchange* counted_in)
    : device_(device),
      precision_(precision),
      width_(width),
      stride_(stride),
      direct_(is_direct(device, ranks)),
      times_(counted_in ? counted_in->own_times_ : own_times_) {
  program_ = device.compile({"exchange", std::string(solve_texts("kernels/solve/exchange.h")), {"pack", "unpack"}, precision, false});
  fill(sent_, rows, &HaloRows::sent);
  fill(expected_, rows, &HaloRows::expected);
  transfer_ = ranks.transfer(expected_.messages, sent_.messages);
}

HaloExchange::~HaloExchange() { device_.queue().set_meanwhile({}); }

void HaloExchange::fill(Side& side, const std::vector<HaloRows>& rows, std::vector<std::int64_t> HaloRows::*list) {
  const std::size_t row_bytes = static_cast<std::size_t>(width_) * bytes_of(precision_);
  std::vector<std::int64_t> places;
  for (const HaloRows& other : rows) places.insert(places.end(), (other.*list).begin(), (other.*list).end());
  side.rows = static_cast<std::int64_t>(places.size());
  side.bytes = places.size() * row_bytes;
  if (places.empty()) return;
  side.place = device_.allocate(places.size() * sizeof(std::int64_t), "places of the exchange");
  side.place->write(places.data(), places.size() * sizeof(std::int64_t));
  side.packed = device_.allocate(side.bytes, "exchange");
  side.window = device_.window(*side.packed, direct_);
  std::size_t first = 0;
  for (const HaloRows& other : rows) {
    const std::size_t count = (other.*list).size() * row_bytes;
    if (count > 0) side.messages.push_back({other.rank, side.window->bytes().subspan(first, count)});
    first += count;
  }
}

std::int64_t HaloExchange::items(const Side& side) const {
  return device_.info().simt ? side.rows * width_ : side.rows;
}

Work HaloExchange::work(const Side& side) const {
  return {2 * static_cast<double>(side.bytes) + 8.0 * static_cast<double>(side.rows), 0};
}

void HaloExchange::start(Buffer& array) {
  const Stopwatch packing;
  if (sent_.rows > 0) {
    device_.queue().launch(program_->kernel("pack"), items(sent_), {array, *sent_.place, *sent_.packed, width_, stride_},
                           work(sent_));
    sent_.window->fetch();
  }
  times_.packing += packing.seconds();
  if (device_.info().asynchronous) return;
  send();
  // MPI makes progress inside its calls only, so it must be polled while this thread computes.
  device_.queue().set_meanwhile([this] { look(); });
}

void HaloExchange::send() {
  const Stopwatch packing;
  if (sent_.rows > 0) sent_.window->wait();
  times_.packing += packing.seconds();
  flight_ = {};
  here_ = false;
  transfer_->start();
  ++times_.exchanges;
  times_.messages += static_cast<std::int64_t>(sent_.messages.size());
  times_.bytes += static_cast<std::int64_t>(sent_.bytes);
}

void HaloExchange::look() {
  if (here_ || !transfer_->test()) return;
  here_ = true;
  times_.flying += flight_.seconds();
}

void HaloExchange::finish(Buffer& array) {
  if (device_.info().asynchronous) send();
  device_.queue().set_meanwhile({});
  look();
  while (!here_ && device_.queue().busy()) look();
  if (!here_) {
    const Stopwatch waiting;
    transfer_->finish();
    here_ = true;
    times_.waiting += waiting.seconds();
    times_.flying += flight_.seconds();
  }
  if (expected_.rows == 0) return;
  expected_.window->store();
  device_.queue().launch(program_->kernel("unpack"), items(expected_),
                         {array, *expected_.place, *expected_.packed, width_, stride_}, work(expected_));
}

}  // namespace swell

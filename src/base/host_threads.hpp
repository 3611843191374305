// SPDX-License-Identifier: Apache-2.0
// Work that prepares a run, shared by the threads of the host in pieces whose bounds do not depend on how many threads there are: the
// results are the same bits on any number of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace swell {

// The processors that this process may run on.
int available_processors();

// How many threads work on the host: all available processors until set.
int host_threads();
void set_host_threads(int threads);

// Items of a piece where an item takes less than a microsecond.
constexpr std::int64_t usual_piece = 4096;

// Calls work(context, piece) once for each piece from 0 to pieces - 1, by several threads at once. Where some throw, the exception of the
// first piece is thrown, which is the one that a single thread would have met.
void for_numbers(std::int64_t pieces, void (*work)(void* context, std::int64_t piece), void* context);

// function(begin, end) for pieces of so many items, the last one of fewer, that cover 0 .. items - 1.
template <class Function>
void for_pieces(std::int64_t items, std::int64_t piece, const Function& function) {
  const auto of_piece = [&](std::int64_t number) { function(number * piece, std::min((number + 1) * piece, items)); };
  using Piece = decltype(of_piece);
  for_numbers((items + piece - 1) / piece, [](void* context, std::int64_t number) { (*static_cast<const Piece*>(context))(number); },
              const_cast<void*>(static_cast<const void*>(&of_piece)));
}
template <class Function>
void for_pieces(std::int64_t items, const Function& function) {
  for_pieces(items, usual_piece, function);
}

// All that `find(begin, end, found)` appends to a vector for each piece, one piece after the other.
template <class T, class Find>
std::vector<T> found_in_pieces(std::int64_t items, std::int64_t piece, const Find& find) {
  std::vector<std::vector<T>> found(static_cast<std::size_t>((items + piece - 1) / piece));
  for_pieces(items, piece, [&](std::int64_t begin, std::int64_t end) { find(begin, end, found[begin / piece]); });
  std::size_t count = 0;
  for (const auto& of_piece : found) count += of_piece.size();
  std::vector<T> all;
  all.reserve(count);
  for (auto& of_piece : found) all.insert(all.end(), of_piece.begin(), of_piece.end());
  return all;
}

// The items 0 .. items - 1 of each class, in ascending order: those of class k are at [start[k], start[k + 1]). `class_of(item)` is below
// `classes`, or negative for items that have no place.
struct ByClass {
  std::vector<std::int64_t> start, item;
};
template <class ClassOf>
ByClass sorted_by_class(std::int64_t items, std::int64_t classes, const ClassOf& class_of) {
  constexpr std::int64_t piece = 16 * usual_piece;
  const std::int64_t pieces = (items + piece - 1) / piece;
  std::vector<std::int64_t> place(static_cast<std::size_t>(pieces * classes), 0);  // [piece][class]
  for_pieces(items, piece, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t* const count = place.data() + begin / piece * classes;
    for (std::int64_t i = begin; i < end; ++i)
      if (const std::int64_t k = class_of(i); k >= 0) ++count[k];
  });
  ByClass all;
  std::int64_t sum = 0;
  for (std::int64_t k = 0; k < classes; ++k) {
    all.start.push_back(sum);
    for (std::int64_t p = 0; p < pieces; ++p) {
      const std::int64_t here = place[p * classes + k];
      place[p * classes + k] = sum;
      sum += here;
    }
  }
  all.start.push_back(sum);
  all.item.resize(static_cast<std::size_t>(sum));
  for_pieces(items, piece, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t* const next = place.data() + begin / piece * classes;
    for (std::int64_t i = begin; i < end; ++i)
      if (const std::int64_t k = class_of(i); k >= 0) all.item[next[k]++] = i;
  });
  return all;
}

// Sorts entries of which no two are equal, so that there is one answer: they are shared out among buckets between the entries of a
// sample (Frazer and McKellar 1970), which are sorted one by one.
template <class T>
void sort_distinct(std::vector<T>& all) {
  constexpr std::int64_t buckets = 256, sampled = 32, worth_it = std::int64_t{1} << 17;
  const auto count = static_cast<std::int64_t>(all.size());
  if (count < worth_it || host_threads() == 1) {
    std::sort(all.begin(), all.end());
    return;
  }
  std::vector<T> sample, bounds;
  for (std::int64_t i = 0; i < buckets * sampled; ++i) sample.push_back(all[i * count / (buckets * sampled)]);
  std::sort(sample.begin(), sample.end());
  for (std::int64_t b = 1; b < buckets; ++b) bounds.push_back(sample[b * sampled]);
  const ByClass by_bucket = sorted_by_class(count, buckets, [&](std::int64_t i) {
    return std::upper_bound(bounds.begin(), bounds.end(), all[i]) - bounds.begin();
  });
  std::vector<T> sorted(all.size());
  for_pieces(buckets, 1, [&](std::int64_t bucket, std::int64_t) {
    const std::int64_t first = by_bucket.start[bucket], last = by_bucket.start[bucket + 1];
    for (std::int64_t i = first; i < last; ++i) sorted[i] = all[by_bucket.item[i]];
    std::sort(sorted.begin() + first, sorted.begin() + last);
  });
  all = std::move(sorted);
}

}  // namespace swell

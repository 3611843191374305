// SPDX-License-Identifier: Apache-2.0
#ifdef SWELL_MPI
#include "comm/mpi_ranks.hpp"

#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>  // of Open MPI, which must follow mpi.h
#endif

#include <cstdlib>
#include <limits>

#include "base/error.hpp"

namespace swell {

namespace {

void check(int result, const char* call) {
  if (result == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(result, text, &length);
  throw RunError("{} failed: {}.", call, text);
}

int length_of(std::size_t count) {
  if (count > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw RunError("A message of {} entries is longer than MPI takes; use more ranks.", count);
  return static_cast<int>(count);
}

// Persistent requests: the library prepares each message once. It takes no empty list of them.
class MpiTransfer : public Transfer {
 public:
  MpiTransfer(MPI_Comm comm, int tag, std::span<const Message> expected, std::span<const Message> sent) {
    for (const Message& m : expected)
      check(MPI_Recv_init(m.bytes.data(), length_of(m.bytes.size()), MPI_BYTE, m.rank, tag, comm, &requests_.emplace_back()),
            "MPI_Recv_init");
    for (const Message& m : sent)
      check(MPI_Send_init(m.bytes.data(), length_of(m.bytes.size()), MPI_BYTE, m.rank, tag, comm, &requests_.emplace_back()),
            "MPI_Send_init");
  }
  ~MpiTransfer() override {
    for (MPI_Request& request : requests_) MPI_Request_free(&request);
  }
  MpiTransfer(const MpiTransfer&) = delete;
  MpiTransfer& operator=(const MpiTransfer&) = delete;

  void start() override {
    if (requests_.empty()) return;
    check(MPI_Startall(length_of(requests_.size()), requests_.data()), "MPI_Startall");
  }
  bool test() override {
    if (requests_.empty()) return true;
    int done = 0;
    check(MPI_Testall(length_of(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
    return done != 0;
  }
  void finish() override {
    if (requests_.empty()) return;
    check(MPI_Waitall(length_of(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }

 private:
  std::vector<MPI_Request> requests_;
};

class MpiRanks : public Ranks {
 public:
  // Takes the communicator over where it is `owned`.
  MpiRanks(MPI_Comm comm, bool owned) : comm_(comm), owned_(owned) {
    check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(comm_, &count_), "MPI_Comm_size");
    MPI_Comm node = MPI_COMM_NULL;
    check(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
    check(MPI_Comm_rank(node, &rank_on_node_), "MPI_Comm_rank");
    check(MPI_Comm_size(node, &count_on_node_), "MPI_Comm_size");
    MPI_Comm_free(&node);
  }
  ~MpiRanks() override {
    if (owned_) MPI_Comm_free(&comm_);
  }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  int rank() const override { return rank_; }
  int count() const override { return count_; }
  int rank_on_node() const override { return rank_on_node_; }
  int count_on_node() const override { return count_on_node_; }

  void barrier() override { check(MPI_Barrier(comm_), "MPI_Barrier"); }
  void broadcast(std::span<std::byte> bytes, int from) override {
    check(MPI_Bcast(bytes.data(), length_of(bytes.size()), MPI_BYTE, from, comm_), "MPI_Bcast");
  }
  void sum(std::span<std::int64_t> values) override { reduce(values, MPI_INT64_T, MPI_SUM); }
  void largest(std::span<double> values) override { reduce(values, MPI_DOUBLE, MPI_MAX); }
  void smallest(std::span<double> values) override { reduce(values, MPI_DOUBLE, MPI_MIN); }

  std::vector<std::vector<double>> gather(std::span<const double> values) override {
    constexpr int tag = 0;
    if (!first()) {
      check(MPI_Send(values.data(), length_of(values.size()), MPI_DOUBLE, 0, tag, comm_), "MPI_Send");
      return {};
    }
    std::vector<std::vector<double>> all(static_cast<std::size_t>(count_));
    all[0].assign(values.begin(), values.end());
    for (int from = 1; from < count_; ++from) {
      MPI_Status status;
      int length = 0;
      check(MPI_Probe(from, tag, comm_, &status), "MPI_Probe");
      check(MPI_Get_count(&status, MPI_DOUBLE, &length), "MPI_Get_count");
      auto& theirs = all[static_cast<std::size_t>(from)];
      theirs.resize(static_cast<std::size_t>(length));
      check(MPI_Recv(theirs.data(), length, MPI_DOUBLE, from, tag, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
    }
    return all;
  }

  std::unique_ptr<Transfer> transfer(std::span<const Message> expected, std::span<const Message> sent) override {
    return std::make_unique<MpiTransfer>(comm_, ++transfers_, expected, sent);
  }
  bool takes_cuda_memory() const override {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
    return MPIX_Query_cuda_support() == 1;  // of the library at hand; the macro speaks of the one that was built with
#else
    return false;
#endif
  }
  std::unique_ptr<Ranks> split(int colour) override {
    MPI_Comm part = MPI_COMM_NULL;
    check(MPI_Comm_split(comm_, colour, rank_, &part), "MPI_Comm_split");
    return std::make_unique<MpiRanks>(part, true);
  }
  [[noreturn]] void abort(int code) override {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
  }

 private:
  template <class Number>
  void reduce(std::span<Number> values, MPI_Datatype kind, MPI_Op operation) {
    check(MPI_Allreduce(MPI_IN_PLACE, values.data(), length_of(values.size()), kind, operation, comm_), "MPI_Allreduce");
  }

  MPI_Comm comm_;
  bool owned_;
  int rank_ = 0, count_ = 1, rank_on_node_ = 0, count_on_node_ = 1;
  int transfers_ = 0;  // each has a tag of its own; all ranks make them in the same order
};

}  // namespace

bool open_mpi(int* count, char*** words) {
  int open = 0;
  check(MPI_Initialized(&open), "MPI_Initialized");
  if (open) return false;
  // Threads compute; only the one that opened MPI calls it.
  int given = 0;
  check(MPI_Init_thread(count, words, MPI_THREAD_FUNNELED, &given), "MPI_Init_thread");
  return true;
}

void close_mpi() { MPI_Finalize(); }

std::unique_ptr<Ranks> mpi_world() { return std::make_unique<MpiRanks>(MPI_COMM_WORLD, false); }

std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string all(text, static_cast<std::size_t>(length));
  return all.substr(0, all.find_first_of(",\n"));
}

}  // namespace swell
#endif

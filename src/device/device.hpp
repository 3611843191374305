// SPDX-License-Identifier: Apache-2.0
// A processor that compiles kernel source at run time and runs it: the same five classes for every backend.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace swell {

enum class Precision : std::uint8_t { single_, double_ };
constexpr std::size_t bytes_of(Precision p) { return p == Precision::single_ ? 4 : 8; }

struct DeviceInfo {
  std::string backend;        // "cpu", "opencl", "cuda": the folder of its dictionary
  std::string name;           // the processor in words
  std::string compiler;       // the compiler of kernel source, with its version
  std::string driver;         // of a GPU, with its version
  int threads = 1;            // threads that run at once
  int vector_bytes = 16;      // width of the SIMD registers
  int vector_registers = 16;
  std::int64_t memory = 0;    // bytes
  bool simt = false;               // a GPU: threads work in groups and there are no vectors
  bool asynchronous = false;       // launches come back before they are done
  int processors = 1;              // that run groups, each with its own shared memory
  std::int64_t shared_bytes = 0;   // most that one group may have
  std::int64_t cache_bytes = 0;    // of the last cache before memory; 0: not known
  bool doubles = true;             // has double precision
  int tensor_cores = 0;            // generation 10 * major + minor of the chip where kernels may use them, else 0
  bool bulk_copies = false;        // of whole blocks between global and shared memory, by one thread
};

// Copies in one direction. The time of a copy holds the wait for what was queued before it: finish() first.
struct CopyTotal {
  std::int64_t bytes = 0;
  double seconds = 0;
};

// Events on a device since it was opened; a step must not change the first three.
struct DeviceCounters {
  std::int64_t allocations = 0;
  std::int64_t copies = 0;       // between host and device
  std::int64_t waits = 0;        // of the host for the device
  std::int64_t launches = 0;
  std::int64_t compiles = 0;     // compiler runs; programs from the cache do not count
  std::int64_t bytes = 0;        // allocated now
  CopyTotal sent, received;      // of the copies: from the host, to the host
};

class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual std::size_t bytes() const = 0;
  virtual void write(const void* from, std::size_t bytes, std::size_t offset = 0) = 0;  // waits until done
  virtual void read(void* to, std::size_t bytes, std::size_t offset = 0) const = 0;     // waits until done
  virtual void fill_zero() = 0;
};

// A buffer as messages between processes see it: the buffer itself on a CPU, a copy in the host's memory on a GPU, or the GPU's
// own memory for a library that reads and writes that. Copies are queued like launches, and the host goes on.
class Window {
 public:
  virtual ~Window() = default;
  virtual std::span<std::byte> bytes() = 0;
  virtual void fetch() = 0;  // queued: bytes() become the buffer's content at that point of the queue
  virtual void wait() = 0;   // for the last fetch()
  virtual void store() = 0;  // queued: the buffer becomes bytes(), which stay as they are until a later fetch() was waited for
};

// One argument of a kernel. Reals go in the program's precision (`scalar` in kernel source); times go as double.
struct Argument {
  enum class Kind : std::uint8_t { buffer, integer, real, time };
  Argument(const Buffer& b) : kind(Kind::buffer), buffer(&b) {}
  Argument(std::int64_t i) : kind(Kind::integer), integer(i) {}
  static Argument real(double r) { return Argument(Kind::real, r); }
  static Argument time(double t) { return Argument(Kind::time, t); }

  Kind kind;
  const Buffer* buffer = nullptr;
  std::int64_t integer = 0;
  double number = 0;

 private:
  Argument(Kind k, double n) : kind(k), number(n) {}
};

// The least memory traffic and arithmetic of one launch; the roofline compares the measured time with the time that these
// allow.
struct Work {
  double bytes = 0;
  double flops = 0;
};

struct KernelProfile {
  std::string name;
  std::int64_t calls = 0;
  double seconds = 0, bytes = 0, flops = 0;
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual const std::string& name() const = 0;
};

class Program {
 public:
  virtual ~Program() = default;
  // Belongs to the program. Throws std::logic_error for a name that the text does not hold.
  virtual const Kernel& kernel(std::string_view name) const = 0;
};

// The items of a launch: `count` of them from `first` on.
struct Items {
  Items(std::int64_t all) : count(all) {}
  Items(std::int64_t from, std::int64_t many) : first(from), count(many) {}
  std::int64_t first = 0, count = 0;
};

// Launches run in order: each sees the results of those before it.
class Queue {
 public:
  virtual ~Queue() = default;
  // Runs `kernel` for each of the items, in any order and at once.
  virtual void launch(const Kernel& kernel, Items items, std::span<const Argument> arguments,
                      const Work& work) = 0;
  virtual void finish() = 0;
  virtual bool busy() = 0;  // something that was launched is not done
  // The launching thread calls `look` between pieces of its own work on a launch, to poll MPI messages, which progress only
  // inside MPI calls. It is never called where launches are asynchronous. Empty: nothing is polled.
  virtual void set_meanwhile(std::function<void()> look) = 0;
  virtual void set_profiling(bool on) = 0;  // from off to on: begins at zero
  virtual std::vector<KernelProfile> profile() const = 0;
  void launch(const Kernel& kernel, Items items, std::initializer_list<Argument> arguments,
              const Work& work = {}) {
    launch(kernel, items, std::span<const Argument>(arguments.begin(), arguments.size()), work);
  }
};

struct ProgramText {
  std::string name;                  // in messages and in the name of the kept text, e.g. "maxwell-tetrahedron-4"
  std::string text;                  // without the backend's dictionary, which the device puts before it
  std::vector<std::string> kernels;
  Precision precision = Precision::double_;
  bool vectors = false;              // `real` is a SIMD vector of scalars where the backend has them, else a scalar
  // On GPUs: threads that work on one item together and may meet at a BARRIER. 0: each item has a thread.
  int group = 0;
  std::size_t shared = 0;            // bytes of SHARED memory of a group
  int resident = 0;                  // groups that should fit on a processor at once, 0: as the compiler likes
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  virtual std::unique_ptr<Buffer> allocate(std::size_t bytes, std::string_view label) = 0;  // zero-filled
  // `direct`: the MPI library accepts the device's own memory.
  virtual std::unique_ptr<Window> window(Buffer& buffer, bool direct) = 0;
  virtual std::unique_ptr<Program> compile(const ProgramText& text) = 0;
  // Compiles the sources that the cache does not have yet, several at once where the backend can: compile() then only loads
  // them. A source that cannot be compiled is left to compile().
  virtual void prepare(std::span<const ProgramText> texts);
  virtual Queue& queue() = 0;
  virtual const DeviceCounters& counters() const = 0;

  // Scalars in one vector of `real` for a program with vectors = true; 1 on devices that are GPUs.
  virtual int lanes(Precision precision) const = 0;
};

// "cpu", "cpu:THREADS", "opencl", "opencl:P:D", "cuda", "cuda:D", or "auto": CUDA where it can be used, else the CPU.
// Throws InputError for a device that is not there, with the list of those that are.
std::unique_ptr<Device> open_device(const std::string& name);

struct DeviceChoice {
  std::string name;     // what open_device takes
  bool usable = false;
  std::string words;    // the device, or the sentence that says why it cannot be used
};
std::vector<DeviceChoice> list_devices();

// Where compiled kernels are kept: $SWELL_CACHE, else $XDG_CACHE_HOME/swell, else ~/.cache/swell.
std::string cache_folder();

}  // namespace swell

// SPDX-License-Identifier: Apache-2.0
// A device without a chip: the tests compile CUDA sources on it where there is no GPU.
#include "base/error.hpp"
#include "device/cuda/compiler.hpp"
#include "device/cuda/cuda.hpp"
#include "device/cuda/cuda_device.hpp"
#include "device/machine.hpp"

#include <algorithm>
#include <cstring>

namespace swell {
namespace {

// CUDA Programming Guide, technical specifications by compute capability: most shared memory of a block.
std::int64_t shared_bytes(int architecture) {
  if (architecture < 70) return 48 << 10;
  if (architecture < 80) return architecture == 75 ? 64 << 10 : 96 << 10;
  if (architecture == 80 || architecture == 87) return 163 << 10;
  if (architecture == 86 || architecture == 89 || architecture >= 120) return 99 << 10;
  return 227 << 10;
}

class HostBuffer final : public Buffer {
 public:
  HostBuffer(std::size_t bytes, std::shared_ptr<DeviceCounters> counters)
      : content_(bytes), counters_(std::move(counters)) {
    ++counters_->allocations;
    counters_->bytes += static_cast<std::int64_t>(bytes);
  }
  ~HostBuffer() override { counters_->bytes -= static_cast<std::int64_t>(content_.size()); }
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;

  std::size_t bytes() const override { return content_.size(); }
  void write(const void* from, std::size_t bytes, std::size_t offset) override {
    check_range(bytes, offset);
    if (bytes > 0) std::memcpy(content_.data() + offset, from, bytes);
    ++counters_->copies;
  }
  void read(void* to, std::size_t bytes, std::size_t offset) const override {
    check_range(bytes, offset);
    if (bytes > 0) std::memcpy(to, content_.data() + offset, bytes);
    ++counters_->copies;
  }
  void fill_zero() override { std::fill(content_.begin(), content_.end(), std::byte(0)); }

 private:
  void check_range(std::size_t bytes, std::size_t offset) const {
    if (offset > content_.size() || bytes > content_.size() - offset)
      throw std::logic_error(fmt::format("{} bytes at {} are outside of a buffer of {} bytes", bytes, offset,
                                         content_.size()));
  }

  std::vector<std::byte> content_;
  std::shared_ptr<DeviceCounters> counters_;
};

class NamedKernel final : public Kernel {
 public:
  explicit NamedKernel(std::string of_text) : name_(std::move(of_text)) {}
  const std::string& name() const override { return name_; }

 private:
  std::string name_;
};

class NamedProgram final : public Program {
 public:
  explicit NamedProgram(const ProgramText& text) : name_(text.name) {
    for (const std::string& kernel : text.kernels) kernels_.emplace_back(kernel);
  }
  const Kernel& kernel(std::string_view name) const override {
    for (const NamedKernel& kernel : kernels_)
      if (kernel.name() == name) return kernel;
    throw std::logic_error(fmt::format("the program '{}' has no kernel '{}'", name_, name));
  }

 private:
  std::string name_;
  std::vector<NamedKernel> kernels_;
};

class NoQueue final : public Queue {
 public:
  using Queue::launch;
  void launch(const Kernel& kernel, Items, std::span<const Argument>, const Work&) override {
    throw std::logic_error(fmt::format("the kernel '{}' was compiled for a GPU that is not there", kernel.name()));
  }
  void finish() override {}
  bool busy() override { return false; }
  void set_meanwhile(std::function<void()>) override {}
  void set_profiling(bool) override {}
  std::vector<KernelProfile> profile() const override { return {}; }
};

// Memory for messages that are never sent.
class NoWindow final : public Window {
 public:
  explicit NoWindow(std::size_t count) : bytes_(count) {}
  std::span<std::byte> bytes() override { return bytes_; }
  void fetch() override { refuse(); }
  void wait() override { refuse(); }
  void store() override { refuse(); }

 private:
  [[noreturn]] static void refuse() { throw std::logic_error("there is nobody to send messages to from a GPU that is not there"); }
  std::vector<std::byte> bytes_;
};

class NvrtcOnlyDevice final : public Device {
 public:
  explicit NvrtcOnlyDevice(int architecture) : architecture_(architecture) {
    info_.backend = "cuda";
    info_.name = "nvrtc";
    info_.compiler = compiler_.describe(architecture);
    info_.memory = machine_memory();
    info_.simt = true;
    info_.shared_bytes = shared_bytes(architecture);
    const int level = compiler_.level(architecture);
    info_.tensor_cores = level >= first_tensor_cores ? level : 0;
    info_.bulk_copies = compiler_.bulk_copies(architecture);
  }
  const DeviceInfo& info() const override { return info_; }
  std::unique_ptr<Buffer> allocate(std::size_t bytes, std::string_view) override {
    return std::make_unique<HostBuffer>(bytes, counters_);
  }
  std::unique_ptr<Window> window(Buffer& buffer, bool) override { return std::make_unique<NoWindow>(buffer.bytes()); }
  std::unique_ptr<Program> compile(const ProgramText& text) override {
    compiler_.compile(text, architecture_, counters_->compiles);
    return std::make_unique<NamedProgram>(text);
  }
  Queue& queue() override { return queue_; }
  const DeviceCounters& counters() const override { return *counters_; }
  int lanes(Precision) const override { return 1; }

 private:
  CudaCompiler compiler_;
  int architecture_;
  std::shared_ptr<DeviceCounters> counters_ = std::make_shared<DeviceCounters>();
  DeviceInfo info_;
  NoQueue queue_;
};

}  // namespace

std::unique_ptr<Device> open_nvrtc_only(int architecture) { return std::make_unique<NvrtcOnlyDevice>(architecture); }

}  // namespace swell

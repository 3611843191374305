// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint_image.hpp"

#include "base/error.hpp"

#ifdef SWELL_HDF5
#include <hdf5.h>
#endif

namespace swell {

#ifdef SWELL_HDF5

namespace {

constexpr const char* about_name = "about";
// Memory is taken in pieces of this size while a file grows.
constexpr std::size_t growth = 1 << 20;

// Something of the library that is given back by its own function.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const char* what) : id_(id), close_(close) {
    if (id < 0) throw RunError("HDF5 refused to {} a checkpoint.", what);
  }
  ~Handle() { close_(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

void check(herr_t status, const char* what) {
  if (status < 0) throw RunError("HDF5 refused to {} a checkpoint.", what);
}

void put(hid_t file, const char* name, hid_t type, hid_t memory, const std::vector<hsize_t>& shape, const void* data) {
  const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose, "describe");
  const Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "describe");
  check(H5Pset_obj_track_times(options, false), "describe");  // the same state, the same bytes
  const Handle set(H5Dcreate2(file, name, type, space, H5P_DEFAULT, options, H5P_DEFAULT), H5Dclose, "fill");
  check(H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "fill");
}

std::vector<hsize_t> shape_of(hid_t set) {
  const Handle space(H5Dget_space(set), H5Sclose, "read");
  std::vector<hsize_t> shape(std::max(0, H5Sget_simple_extent_ndims(space)));
  check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), "read");
  return shape;
}

std::uint64_t count_of(const std::vector<hsize_t>& shape) {
  std::uint64_t count = 1;
  for (const hsize_t n : shape) count *= n;
  return count;
}

// Opens a file that lives in memory only: a new one, or the one with these bytes.
class InMemory : public Handle {
 public:
  explicit InMemory(const std::string* image) : Handle(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "open") {
    check(H5Pset_fapl_core(*this, growth, 0), "open");
    // The library copies the bytes.
    if (image) check(H5Pset_file_image(*this, const_cast<char*>(image->data()), image->size()), "open");
  }
};

}  // namespace

bool has_images() { return true; }

std::string image_of(const Checkpoint& checkpoint) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // its words would go to the terminal
  const InMemory memory(nullptr);
  const Handle file(H5Fcreate("checkpoint", H5F_ACC_TRUNC, H5P_DEFAULT, memory), H5Fclose, "create");
  put(file, about_name, H5T_NATIVE_CHAR, H5T_NATIVE_CHAR, {checkpoint.about.size()}, checkpoint.about.data());
  for (const auto& [name, array] : checkpoint.arrays)
    put(file, name.c_str(), array.single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
        {array.shape.begin(), array.shape.end()}, array.values.data());
  check(H5Fflush(file, H5F_SCOPE_GLOBAL), "fill");
  const ssize_t bytes = H5Fget_file_image(file, nullptr, 0);
  check(bytes < 0 ? -1 : 0, "fill");
  std::string image(static_cast<std::size_t>(bytes), '\0');
  check(H5Fget_file_image(file, image.data(), image.size()) == bytes ? 0 : -1, "fill");
  return image;
}

Checkpoint checkpoint_of(const std::string& image, const std::filesystem::path& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const InMemory memory(&image);
  const Handle file(H5Fopen(path.filename().c_str(), H5F_ACC_RDONLY, memory), H5Fclose, "open");
  H5G_info_t group;
  check(H5Gget_info(file, &group), "read");
  Checkpoint checkpoint;
  for (hsize_t i = 0; i < group.nlinks; ++i) {
    const ssize_t length = H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT);
    check(length < 0 ? -1 : 0, "read");
    std::string name(static_cast<std::size_t>(length), '\0');
    H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size() + 1, H5P_DEFAULT);
    const Handle set(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, "read");
    const auto shape = shape_of(set);
    if (name == about_name) {
      checkpoint.about.resize(count_of(shape));
      check(H5Dread(set, H5T_NATIVE_CHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, checkpoint.about.data()), "read");
      continue;
    }
    StoredArray array{{shape.begin(), shape.end()}, std::vector<double>(count_of(shape))};
    const Handle type(H5Dget_type(set), H5Tclose, "read");
    array.single = H5Tget_size(type) == 4;
    check(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()), "read");
    checkpoint.arrays.emplace(name, std::move(array));
  }
  return checkpoint;
}

#else

namespace {
[[noreturn]] void refuse() {
  throw InputError("This build of swell has no HDF5, so that checkpoints are not there; build it with libhdf5-dev.");
}
}  // namespace

bool has_images() { return false; }
std::string image_of(const Checkpoint&) { refuse(); }
Checkpoint checkpoint_of(const std::string&, const std::filesystem::path&) { refuse(); }

#endif

}  // namespace swell

// SPDX-License-Identifier: Apache-2.0
#include "mesh/gmsh/program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/error.hpp"

extern char** environ;

namespace swell::gmsh {
namespace {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "swell-gmsh-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw InputError("No temporary folder can be made at {} ({}).", name, std::strerror(errno));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

bool on_path(const char* program) {
  const char* folders = std::getenv("PATH");
  std::string_view rest = folders ? folders : "";
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    if (!folder.empty() && access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0) return true;
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
  }
  return false;
}

// The first line of gmsh's output that speaks of an error.
std::string first_error(const std::string& log) {
  const std::size_t at = log.find("Error");
  if (at == std::string::npos) return "it gave no reason";
  const std::string line = log.substr(at, log.find('\n', at) - at);
  return line.substr(0, 200);
}

// Runs gmsh without a shell, so that nothing in a file's name can be a command.
int run(const std::vector<std::string>& words, const std::filesystem::path& log) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw InputError("The program {} cannot be started ({}).", words[0], std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

std::string mesh_geometry(const std::filesystem::path& geo) {
  if (!std::filesystem::is_regular_file(geo)) throw InputError("The geometry {} does not exist.", geo.string());
  if (!on_path("gmsh"))
    throw InputError(
        "{} is a geometry and the program gmsh is not installed; make a mesh of it where gmsh is "
        "(gmsh -3 -format msh41 {} -o mesh.msh) and give that file.",
        geo.string(), geo.filename().string());
  const TemporaryFolder folder;
  const auto mesh = folder.path() / "mesh.msh", log = folder.path() / "log.txt";
  // An absolute path cannot be taken for an option.
  const int code = run(
      {"gmsh", "-3", "-format", "msh41", "-bin", "-o", mesh.string(), std::filesystem::absolute(geo).string()}, log);
  if (code != 0 || !std::filesystem::exists(mesh))
    throw InputError("gmsh could not mesh {}: {}.", geo.string(), first_error(read_bytes(log)));
  return read_bytes(mesh);
}

std::string read_bytes(const std::filesystem::path& file) {
  const int handle = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (handle < 0) throw InputError("The mesh file {} cannot be opened ({}).", file.string(), std::strerror(errno));
  struct Closer {
    int handle;
    ~Closer() { close(handle); }
  } const closer{handle};
  struct stat facts {};
  if (fstat(handle, &facts) != 0 || !S_ISREG(facts.st_mode))
    throw InputError("The mesh file {} is {}.", file.string(),
                     S_ISDIR(facts.st_mode) ? "a folder" : "no ordinary file");
  std::string bytes(static_cast<std::size_t>(facts.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = read(handle, bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InputError("The mesh file {} cannot be read ({}).", file.string(), std::strerror(errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace swell::gmsh

// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/command.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

extern char** environ;

namespace swell {
namespace {

// The interval at which the program's end is polled: small against the 0.1 s that the quickest compile takes.
constexpr auto poll_interval = std::chrono::milliseconds(1);

int exit_status(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& arguments, const std::string& log, double seconds) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  // A process group of its own: a compiler driver has children, and all of them must end at the time limit.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);

  pid_t child = 0;
  const int failure = posix_spawn(&child, pointers[0], &files, &attributes, pointers.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);

  CommandResult result;
  if (failure != 0) {
    result.problem = strerror(failure);
    return result;
  }
  result.started = true;
  const auto start = std::chrono::steady_clock::now();
  for (int status = 0;;) {
    const pid_t ended = waitpid(child, &status, result.timed_out ? 0 : WNOHANG);
    if (ended == child) {
      result.status = exit_status(status);
      return result;
    }
    if (ended < 0 && errno != EINTR) {
      result.started = false;
      result.problem = strerror(errno);
      return result;
    }
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds) {
      kill(-child, SIGKILL);
      result.timed_out = true;
    } else {
      std::this_thread::sleep_for(poll_interval);
    }
  }
}

}  // namespace swell

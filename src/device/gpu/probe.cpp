// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/probe.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <exception>
#include <sstream>

namespace swell {
namespace {

constexpr int status_of_exception = 99;

void write_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(to, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

// The output of a driver that dies is kept from the terminal; its errors go to `notes`.
void silence_output(int notes) {
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere < 0) return;
  for (const int stream : {0, 1, 2}) dup2(nowhere, stream);
  if (notes >= 0) dup2(notes, 2);
}

// The end of what the child left in `notes`, as part of a sentence: often the only hint at what a driver misses.
std::string last_words(int notes) {
  std::array<char, 1000> buffer;
  const off_t size = lseek(notes, 0, SEEK_END), begin = std::max<off_t>(0, size - static_cast<off_t>(buffer.size()));
  const ssize_t count = pread(notes, buffer.data(), buffer.size(), begin);
  std::istringstream text(std::string(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(0, count))));
  std::string line, words;
  if (begin > 0) std::getline(text, line);  // of which only the end is here
  while (std::getline(text, line))
    if (!line.empty()) words += (words.empty() ? "; it printed: " : "; ") + line;
  return words;
}

struct Piece {
  enum class Kind { bytes, end, late } kind;
  std::string bytes;
};

Piece read_piece(int from, std::chrono::steady_clock::time_point end) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return {Piece::Kind::late, ""};
    pollfd wait{from, POLLIN, 0};
    if (poll(&wait, 1, static_cast<int>(left.count())) <= 0) continue;
    std::array<char, 4096> buffer;
    const ssize_t count = read(from, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return {Piece::Kind::end, ""};
    return {Piece::Kind::bytes, std::string(buffer.data(), static_cast<std::size_t>(count))};
  }
}

}  // namespace

ProbeResult probe(const std::function<void(const std::function<void(const std::string&)>& say)>& question,
                  double seconds) {
  std::array<int, 2> answer, complaint;
  if (pipe2(answer.data(), O_CLOEXEC) != 0) return {"", fmt::format("could not be asked: {}", strerror(errno))};
  if (pipe2(complaint.data(), O_CLOEXEC) != 0) {
    for (const int end : answer) close(end);
    return {"", fmt::format("could not be asked: {}", strerror(errno))};
  }
  // A file in memory, since a pipe that nobody reads in time would stop the child.
  const int notes = memfd_create("driver", MFD_CLOEXEC);
  const pid_t child = fork();
  if (child == 0) {
    silence_output(notes);
    int status = 0;
    try {
      question([&](const std::string& bytes) { write_all(answer[1], bytes); });
    } catch (const std::exception& error) {
      write_all(complaint[1], error.what());
      status = status_of_exception;
    }
    _exit(status);
  }
  const int why = errno;
  close(answer[1]);
  close(complaint[1]);
  ProbeResult result;
  bool late = false;
  if (child > 0) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::milliseconds>(
                                                            std::chrono::duration<double>(seconds));
    for (;;) {
      const Piece piece = read_piece(answer[0], end);
      result.said += piece.bytes;
      if (piece.kind == Piece::Kind::bytes) continue;
      late = piece.kind == Piece::Kind::late;
      break;
    }
    if (late) kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (late) result.problem = fmt::format("did not answer within {} s", seconds);
    else if (WIFSIGNALED(status))
      result.problem = fmt::format("was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) == status_of_exception)
      result.problem = read_piece(complaint[0], end).bytes;
    else if (WEXITSTATUS(status) != 0)
      result.problem = fmt::format("ended the process with status {}", WEXITSTATUS(status));
    result.died = late || WIFSIGNALED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != status_of_exception);
    if (result.died) result.problem += last_words(notes);
  } else {
    result.problem = fmt::format("could not be asked: {}", strerror(why));
  }
  close(answer[0]);
  close(complaint[0]);
  close(notes);
  return result;
}

}  // namespace swell

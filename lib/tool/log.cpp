// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing the tool's own lines.

#include "lib/tool/log.hpp"

#include "lib/tool/options.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

namespace fletcher::tool {

namespace {

/// Written when the options are read, by one thread.
struct Log {
  char pattern[4096] = {}; ///< of log_path; empty: stderr
  std::atomic<int> descriptor{STDERR_FILENO};
  std::atomic<pid_t> opened_by{0};
};
constinit Log log;

} // namespace

int log_descriptor() noexcept {
  const pid_t self = getpid();
  if (log.pattern[0] == '\0' || log.opened_by.exchange(self) == self) return log.descriptor;
  const std::string path = expand_path(log.pattern, self);
  const int file = moved_up(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666), STDERR_FILENO + 1);
  log.descriptor = file < 0 ? STDERR_FILENO : file;
  if (file < 0) say("cannot write log_path '" + path + "': " + std::strerror(errno) + "; using stderr");
  return log.descriptor;
}

void log_to(const std::string& pattern) noexcept {
  if (pattern.size() < sizeof log.pattern) std::memcpy(log.pattern, pattern.c_str(), pattern.size() + 1);
}

int moved_up(int made, int least) noexcept {
  if (made < 0) return -1;
  const int file = fcntl(made, F_DUPFD_CLOEXEC, least);
  const int error = errno;
  close(made);
  errno = error;
  return file;
}

void write_all(int to, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = write(to, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void say(std::string_view line) {
  std::string text = "fletcher: ";
  text += line;
  text += '\n';
  write_all(log_descriptor(), text);
}

} // namespace fletcher::tool

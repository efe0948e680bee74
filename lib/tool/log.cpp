// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing the tool's own lines.

#include "lib/tool/log.hpp"

#include "lib/tool/log_file.hpp"
#include "lib/tool/options.hpp"
#include "lib/tool/process/file_size_limit.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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

/// Standard error as it was when the session started.
struct KeptErrors {
  int descriptor = -1;
  dev_t device = 0;
  ino_t file = 0;
};
constinit KeptErrors kept;

/// The same open file, below what select() takes, so that no large table of files is needed, and not among the numbers
/// that come next. -1: there is no such number.
int aside(int file) noexcept {
  constexpr rlim_t most = 1024, numbers = 24;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < 2 * numbers) return -1;
  return fcntl(file, F_DUPFD_CLOEXEC, static_cast<int>(std::min(limit.rlim_cur, most) - numbers));
}

/// The program may have closed it with all others, and opened another file since.
bool is_kept_open() noexcept {
  struct stat now{};
  return kept.descriptor >= 0 && fstat(kept.descriptor, &now) == 0 && now.st_dev == kept.device &&
         now.st_ino == kept.file;
}

} // namespace

void keep_errors() noexcept {
  struct stat now{};
  if (fstat(STDERR_FILENO, &now) == 0) kept = {aside(STDERR_FILENO), now.st_dev, now.st_ino};
}

void drop_errors() noexcept {
  if (is_kept_open()) close(kept.descriptor);
  kept.descriptor = -1;
}

int log_descriptor() noexcept {
  if (log.pattern[0] == '\0' && is_kept_open()) return kept.descriptor;
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
  const int error = errno == EINVAL ? EMFILE : errno; // there is no such number
  close(made);
  errno = error;
  return file;
}

int put_aside(int made) noexcept {
  if (made < 0) return -1;
  const int file = aside(made);
  close(made);
  return file;
}

bool write_whole(int to, std::string_view text) noexcept {
  const FileSizeLimit is_an_error;
  while (!text.empty()) {
    const ssize_t written = write(to, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void write_all(int to, std::string_view text) noexcept { write_whole(to, text); }

bool leave_log_file(int error) noexcept {
  if (log.pattern[0] == '\0') return false;
  const std::string path = expand_path(log.pattern, getpid());
  log.pattern[0] = '\0';
  log.descriptor = STDERR_FILENO;
  say("cannot write log_path '" + path + "': " + std::strerror(error) + "; using stderr");
  return true;
}

void write_log(std::string_view text) noexcept {
  if (!write_whole(log_descriptor(), text) && leave_log_file(errno)) write_all(log_descriptor(), text);
}

void say(std::string_view line) {
  std::string text = "fletcher: ";
  text += line;
  text += '\n';
  write_log(text);
}

} // namespace fletcher::tool

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole files through POSIX calls, because errno is what makes a clear error line.
#include "reports/document/files.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fletcher::reports {
namespace {

Error failure(const char* verb, const std::string& path, int code) {
  return Error{"cannot " + std::string(verb) + " " + path + ": " + std::strerror(code)};
}

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// The permissions that an ordinary new file would get; mkstemp gives 0600.
mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

} // namespace

Result<std::string> read_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return failure("read", path, errno);
  std::string content;
  char block[1 << 16];
  for (;;) {
    const ssize_t got = ::read(descriptor, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const int code = errno;
      ::close(descriptor);
      return failure("read", path, code);
    }
    if (got == 0) break;
    content.append(block, static_cast<std::size_t>(got));
  }
  ::close(descriptor);
  return content;
}

Result<Done> write_file_atomically(const std::string& path, std::string_view content) {
  struct stat status{};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return failure("write", path, errno);
    const bool written = write_all(descriptor, content);
    const int code = errno;
    ::close(descriptor);
    if (!written) return failure("write", path, code);
    return Done{};
  }
  std::string temporary = path + ".XXXXXX";
  const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) return failure("write", path, errno);
  bool good = write_all(descriptor, content);
  good = good && ::fchmod(descriptor, exists ? status.st_mode & 07777U : usual_mode()) == 0;
  int code = errno;
  if (::close(descriptor) != 0 && good) good = false, code = errno;
  if (good && ::rename(temporary.c_str(), path.c_str()) != 0) good = false, code = errno;
  if (!good) {
    ::unlink(temporary.c_str());
    return failure("write", path, code);
  }
  return Done{};
}

} // namespace fletcher::reports

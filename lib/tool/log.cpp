// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing the tool's own lines.

#include "lib/tool/log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

namespace fletcher::tool {

namespace {
constinit std::atomic<int> descriptor{STDERR_FILENO};
}

int log_descriptor() noexcept { return descriptor.load(std::memory_order_relaxed); }

void log_to(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return say("cannot write log_path '" + path + "': " + std::strerror(errno) + "; using stderr");
  descriptor = file;
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asking the kernel about the process.

#include "lib/tool/process.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace fletcher::tool {

std::string program_path() {
  std::string path(4096, '\0');
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  path.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return path;
}

std::string working_directory() {
  std::string path(4096, '\0');
  if (getcwd(path.data(), path.size()) == nullptr) return {};
  path.resize(path.find('\0'));
  return path;
}

std::vector<std::string> arguments() {
  std::ifstream file("/proc/self/cmdline");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> list;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    list.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (!list.empty()) list.erase(list.begin());
  return list;
}

std::int64_t now_in_milliseconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

} // namespace fletcher::tool

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asking the kernel about the process.

#include "lib/tool/process/process.hpp"

#include "lib/tool/options.hpp"

#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

namespace fletcher::tool {

namespace {

enum class Started { by_itself, as_run, within_run };

Started how_started() {
  const char* const process = std::getenv(run_variable);
  if (process == nullptr) return Started::by_itself;
  return process == std::to_string(getpid()) ? Started::as_run : Started::within_run;
}

} // namespace

std::string program_path() {
  std::string path(4096, '\0');
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  if (size <= 0) return reinterpret_cast<const char*>(getauxval(AT_EXECFN)); // /proc is not mounted
  path.resize(static_cast<std::size_t>(size));
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

bool is_run() { return how_started() == Started::as_run; }

std::string own_file(const std::string& pattern) {
  std::string path = expand_path(pattern, getpid());
  if (path.empty() || expand_path(pattern, 0) != path || how_started() != Started::within_run) return path;
  const std::size_t name = path.rfind('/') + 1; // 0 where there is none
  const std::size_t dot = path.rfind('.');
  const bool has_suffix = dot != std::string::npos && dot > name;
  return path.insert(has_suffix ? dot : path.size(), "-" + std::to_string(getpid()));
}

} // namespace fletcher::tool

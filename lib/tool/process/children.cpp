// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/process/children.hpp"

#include <sys/wait.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace fletcher::tool {

namespace {

namespace fs = std::filesystem;

bool is_symbolizer(const std::string& process) {
  std::error_code error;
  const std::string program = fs::read_symlink("/proc/" + process + "/exe", error).filename();
  return program.starts_with("llvm-symbolizer") || program.starts_with("addr2line");
}

/// False also where the kernel does not list them.
bool are_all_symbolizers() {
  std::error_code error;
  bool one = false;
  for (fs::directory_iterator thread("/proc/self/task", error), end; !error && thread != end; thread.increment(error)) {
    std::ifstream children(thread->path() / "children");
    for (std::string process; children >> process; one = true)
      if (!is_symbolizer(process)) return false;
  }
  return one;
}

} // namespace

bool has_children() {
  siginfo_t child{};
  if (waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD) return false;
  return !are_all_symbolizers();
}

} // namespace fletcher::tool

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run in which nothing was checked must not look like a clean one: one line says so where the user asked for a check.

#include "lib/tool/ending.hpp"
#include "lib/tool/log.hpp"
#include "lib/tool/process.hpp"
#include "lib/tool/session.hpp"

#include <link.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <string_view>

namespace fletcher::tool {

namespace {

struct Runtimes {
  bool libgomp = false, libomp = false;
};

int visit(dl_phdr_info* info, std::size_t, void* data) {
  auto& found = *static_cast<Runtimes*>(data);
  const std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  const std::string_view file = path.substr(path.rfind('/') + 1);
  if (file.starts_with("libgomp.so") || file.starts_with("libgomp-")) found.libgomp = true;
  if (file.starts_with("libomp.so") || file.starts_with("libomp-") || file.starts_with("libiomp")) found.libomp = true;
  return 0;
}

/// `fletcher run` names the process that it became, so that what it starts (a shell's children) is not meant.
bool was_asked_for() {
  const char* const process = std::getenv("FLETCHER_RUN_PID");
  return process != nullptr && std::string_view(process) == std::to_string(getpid());
}

} // namespace

void explain_unchecked() {
  static constinit std::atomic<bool> done{false};
  Session* const the = session();
  const bool native = the != nullptr && the->level() == Level::native;
  if ((the != nullptr && the->runtime_started) || done.exchange(true)) return;
  if (!was_asked_for() && !native) return;
  if (!options_of_environment().enabled) return;
  Runtimes found;
  dl_iterate_phdr(visit, &found);
  const std::string program = program_path();
  if (found.libgomp && !found.libomp)
    say(program + " runs on libgomp, which has no OMPT: its OpenMP constructs were not checked (use 'fletcher run', or "
                  "preload LLVM's libomp.so)");
  else if (was_asked_for())
    say("no OpenMP runtime with OMPT was started in " + program + ": nothing was checked");
}

} // namespace fletcher::tool

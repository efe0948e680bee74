// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run in which nothing was checked must not look like a clean one: one line says so where the user asked for a check.

#include "checker/checker.hpp"
#include "lib/interpose/openmp/openmp_runtimes.hpp"
#include "lib/tool/findings/delivery.hpp"
#include "lib/tool/log.hpp"
#include "lib/tool/process/ending.hpp"
#include "lib/tool/process/process.hpp"
#include "lib/tool/serials.hpp"
#include "lib/tool/session.hpp"

#include <link.h>
#include <sys/resource.h>

#include <atomic>
#include <string>

namespace fletcher::tool {

namespace {

struct Runtimes {
  bool libgomp = false, libomp = false;
};

int visit(dl_phdr_info* info, std::size_t, void* data) {
  auto& found = *static_cast<Runtimes*>(data);
  found.libgomp |= interpose::is_libgomp(interpose::file_name(*info));
  found.libomp |= interpose::is_llvm_runtime(interpose::file_name(*info));
  return 0;
}

/// Page faults of the children that were waited for.
long faults_of_children() noexcept {
  rusage children{};
  return getrusage(RUSAGE_CHILDREN, &children) == 0 ? children.ru_minflt : 0;
}

/// `fletcher run` has had some in this process, too.
constinit long faults_at_load = 0;
[[gnu::constructor]] void loaded() { faults_at_load = faults_of_children(); }

constinit std::atomic<bool> explained{false};

/// Nothing where something was, or may have been.
std::string reason_for_nothing(Session* the) {
  const std::string program = program_path();
  const char* const elsewhere =
      faults_of_children() != faults_at_load ? ": only processes that it started may have been checked" : nullptr;
  if (the != nullptr && the->runtime_started) {
    const Statistics statistics = the->checker().statistics();
    const bool nothing = statistics.regions == 0 && statistics.tasks == 0 && serials::threads <= 1;
    if (!nothing) return "";
    return "no parallel region was run in " + program + (elsewhere ? elsewhere : ": there was nothing to check");
  }
  Runtimes found;
  dl_iterate_phdr(visit, &found);
  if (found.libgomp && !found.libomp)
    return program + " runs on libgomp, which has no OMPT: its OpenMP constructs were not checked (" +
           (is_run() ? "LLVM's libomp.so was not found, FLETCHER_LIBOMP names it)"
                     : "use 'fletcher run', or preload LLVM's libomp.so)");
  if (!is_run() || serials::threads > 1) return ""; // threads of the program's own are checked
  return "no parallel region was seen in " + program + (elsewhere ? elsewhere : ": nothing was checked");
}

} // namespace

void unchecked_is_explained() noexcept { explained = true; }

void explain_unchecked() {
  Session* const the = session();
  const bool wanted =
      is_run() ||
      (the != nullptr && (the->options().verbose || (the->level() == Level::native && !the->runtime_started)));
  if (!wanted) return;
  if (!options_of_environment().enabled) return;
  const InsideTool inside;
  const std::string reason = reason_for_nothing(the);
  if (reason.empty()) return;
  if (!explained.exchange(true)) say(reason);
  if (the == nullptr) deliver_unchecked(reason);
}

} // namespace fletcher::tool

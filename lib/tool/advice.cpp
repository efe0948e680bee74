// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/advice.hpp"

#include "checker/access/thread_state.hpp"
#include "checker/advise/advice.hpp"
#include "checker/advise/recorder.hpp"
#include "checker/checker.hpp"
#include "lib/interpose/binding/modules.hpp"
#include "lib/tool/findings/collector.hpp"
#include "lib/tool/log.hpp"
#include "lib/tool/session.hpp"

#include <atomic>
#include <string>

namespace fletcher::tool::advice {

namespace {

constinit std::atomic<advise::Recorder*> recorder{nullptr};
/// Findings of the checker have smaller serial numbers.
constexpr std::uint64_t first_serial = std::uint64_t{1} << 62;

bool sees(Address pc) noexcept { return pc == 0 || interpose::modules::is_instrumented(pc); }

/// Why there is no advice; empty where there is some to give.
std::string obstacle(Session& session, const std::string& unknown) {
  if (session.collector().has_errors()) return "the run has errors; correct them first";
  if (session.checker().atomics_order()) return "the program orders accesses by atomic operations";
  return unknown;
}

} // namespace

Listener& record(Checker& checker) {
  auto* const made = new advise::Recorder(sees); // as long as the checker
  recorder = made;
  checker.watch(*made);
  return *made;
}

bool is_recording() noexcept { return recorder.load(std::memory_order_relaxed) != nullptr; }

void meets_unseen_code(access::ThreadState& thread) {
  if (advise::Recorder* const r = recorder.load()) r->meets_unseen_code(thread.id);
}
void uses_stream(access::ThreadState& thread, Address pc) {
  if (advise::Recorder* const r = recorder.load()) r->prints(thread.id, pc);
}

void conclude(Session& session) {
  advise::Recorder* const r = recorder.exchange(nullptr);
  if (r == nullptr) return;
  std::string why = obstacle(session, {});
  advise::Advices advices;
  if (why.empty()) {
    advices = advise::advise(r->take());
    why = advices.unknown;
  }
  if (!why.empty()) say("advise: no advice" + std::string(advices.list.empty() ? "" : " about the rest") + ": " + why);
  std::uint64_t serial = first_serial;
  for (const advise::Advice& one : advices.list) {
    Finding finding = advise::finding(one);
    if (const StackFrame frame = session.checker().frame_of_item(one.object); frame.call.known())
      finding.stack_variables.push_back({one.object, frame});
    session.collector().found(serial++, std::move(finding));
  }
}

} // namespace fletcher::tool::advice

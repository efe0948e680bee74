// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One checked run of a process: its options, its checker, the chain of listeners and where findings go. Allocated once
// and never freed, because the runtime's threads outlive every destructor. Started by the thread that comes first: the
// first instrumented object (__tsan_init) or the OpenMP runtime (ompt_start_tool).
#pragma once

#include "checker/events.hpp"
#include "lib/tool/options.hpp"
#include "lib/tool/thread.hpp"

#include <atomic>

namespace fletcher {
class Checker;
}

namespace fletcher::tool {

class Collector;
class TaskTrace;

/// The evidence that the tool has (docs/design/levels.md).
enum class Level : std::uint8_t { graph, tsan, native };
const char* name(Level level) noexcept;

class Session {
public:
  Session(Options options, Level level, bool taken_over);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Options& options() const noexcept { return options_; }
  Level level() const noexcept { return level_; }
  /// The program is ThreadSanitizer's, and its calls have been led here (interpose/takeover/takeover.hpp).
  bool taken_over() const noexcept { return taken_over_; }
  /// At level graph: accesses of library functions that uninstrumented code calls are checked.
  bool sees_libraries() const noexcept { return sees_libraries_; }
  /// Accesses are checked, all or some.
  bool checks_accesses() const noexcept { return level_ == Level::native || sees_libraries_; }
  Checker& checker() noexcept { return *checker_; }
  Collector& collector() noexcept { return *collector_; }
  /// Null where no graph is asked for.
  TaskTrace* trace() noexcept { return trace_; }
  /// The head of the chain: every event goes here.
  Listener& listener() noexcept { return *listener_; }
  std::int64_t start_time() const noexcept { return start_time_; } ///< milliseconds since 1970
  const std::string& program() const noexcept { return program_; } ///< path of the executable

  std::atomic<bool> runtime_started{false};    ///< an OpenMP runtime with OMPT began to tell events
  std::atomic<bool> accesses_forgotten{false}; ///< for the limit on memory: races may have been missed

private:
  Options options_;
  Level level_;
  bool taken_over_;
  bool sees_libraries_;
  std::int64_t start_time_;
  std::string program_;
  Collector* collector_;
  Checker* checker_;
  TaskTrace* trace_ = nullptr;
  Listener* listener_;
};

namespace detail {
inline constinit std::atomic<Session*> the_session{nullptr};
}

/// The running session; null before it started and when the tool is disabled. One load.
inline Session* session() noexcept { return detail::the_session.load(std::memory_order_acquire); }

/// Called by __tsan_init (`instrumented`) and by ompt_start_tool: starts the session unless there is one, and attaches
/// the calling thread with an initial task. Returns null where the tool is disabled. Idempotent, cheap when repeated.
Session* start(bool instrumented);

/// Options as FLETCHER_OPTIONS says; complaints and help are printed at the first call.
const Options& options_of_environment();

} // namespace fletcher::tool

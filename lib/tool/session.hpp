// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One checked run of a process: its options, its checker, the chain of listeners and where findings go. Allocated once and
// never freed, because the runtime's threads outlive every destructor. Started by whoever comes first: the first
// instrumented object (__tsan_init) or the OpenMP runtime (ompt_start_tool).
#pragma once

#include "checker/events.hpp"
#include "lib/tool/options.hpp"
#include "lib/tool/thread.hpp"

namespace fletcher {
class Checker;
}

namespace fletcher::tool {

/// The evidence that the tool has (docs/design.md, section 1). `off`: disabled by the user.
enum class Level : std::uint8_t { off, graph, native, tsan };
const char* name(Level level) noexcept;

class Session {
public:
  explicit Session(Options options, Level level);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Options& options() const noexcept { return options_; }
  Level level() const noexcept { return level_; }
  Checker& checker() noexcept { return *checker_; }
  /// The head of the chain: every event goes here.
  Listener& listener() noexcept { return *listener_; }

private:
  friend class Delivery;
  Options options_;
  Level level_;
  Checker* checker_ = nullptr;
  Listener* listener_ = nullptr;
};

/// The running session; null before it started and when the tool is disabled. One load.
Session* session() noexcept;

/// Called by __tsan_init (`instrumented`) and by ompt_start_tool: starts the session unless there is one, attaches the
/// calling thread where it is the program's first. Returns null where the tool is disabled. Idempotent, cheap when
/// repeated. At level native the calling thread is attached as the initial task.
Session* start(bool instrumented);

} // namespace fletcher::tool

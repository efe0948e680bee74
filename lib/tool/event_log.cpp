// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing events as text. A line is one write, so that a crash loses none.

#include "lib/tool/event_log.hpp"

#include "lib/tool/log.hpp"
#include "lib/tool/log_file.hpp"

#include <fcntl.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <concepts>
#include <cstring>
#include <string_view>

namespace fletcher::tool {

namespace {

template <class Enum, std::size_t n>
std::string_view pick(Enum value, const std::array<std::string_view, n>& names) noexcept {
  const auto i = static_cast<std::size_t>(value);
  return i < n ? names[i] : "?";
}

std::string_view word(TaskKind kind) noexcept {
  return pick(kind, std::array<std::string_view, 5>{"initial", "implicit", "explicit", "target", "foreign"});
}
std::string_view word(DependenceType type) noexcept {
  return pick(type, std::array<std::string_view, 5>{"in", "out", "inout", "mutexinoutset", "inoutset"});
}
std::string_view word(SyncKind kind) noexcept {
  return pick(kind, std::array<std::string_view, 8>{"barrier_explicit", "barrier_workshare", "barrier_parallel",
                                                    "barrier_teams", "barrier_internal", "gathering", "taskwait",
                                                    "taskgroup"});
}
std::string_view word(MutexKind kind) noexcept {
  return pick(kind, std::array<std::string_view, 7>{"lock", "nest_lock", "critical", "atomic", "ordered", "posix",
                                                    "mutexinoutset"});
}
std::string_view word(MutexStep step) noexcept {
  return pick(step,
              std::array<std::string_view, 12>{"init", "init_nest", "destroy", "destroy_nest", "calling", "acquiring",
                                               "testing", "acquired", "nested", "unnested", "releasing", "released"});
}
std::string_view word(SinkKind kind) noexcept {
  return pick(kind, std::array<std::string_view, 3>{"iteration", "outside", "later"});
}
std::string_view word(WorkKind kind) noexcept {
  return pick(kind, std::array<std::string_view, 11>{"loop_static", "loop_dynamic", "loop_guided", "loop_other",
                                                     "sections", "single_executor", "single_other", "workshare",
                                                     "distribute", "taskloop", "scope"});
}
std::string_view word(DispatchKind kind) noexcept {
  return pick(kind, std::array<std::string_view, 6>{"iteration", "section", "loop_chunk", "taskloop_chunk",
                                                    "distribute_chunk", "piece"});
}
std::string_view word(CancelKind kind) noexcept {
  return pick(kind, std::array<std::string_view, 4>{"parallel", "sections", "loop", "taskgroup"});
}
std::string_view word(MemoryKind kind) noexcept {
  return pick(kind, std::array<std::string_view, 5>{"heap", "mapping", "stack", "runtime", "copy"});
}
std::string_view word(DeviceStep step) noexcept {
  return pick(step, std::array<std::string_view, 4>{"initialize", "finalize", "load", "unload"});
}
std::string_view word(DataOpKind kind) noexcept {
  return pick(kind, std::array<std::string_view, 8>{"alloc", "to_device", "from_device", "delete", "associate",
                                                    "disassociate", "memset", "host_change"});
}

template <class T>
concept Id = std::same_as<T, ThreadId> || std::same_as<T, TaskId> || std::same_as<T, TeamId>;

/// Builds one line and writes it when it is complete.
class Line {
public:
  Line(int file, std::string_view name) : file_(file), text_(name) {}
  ~Line() {
    static constinit std::atomic<bool> failed{false};
    text_ += '\n';
    if (!write_whole(file_, text_) && !failed.exchange(true))
      say(std::string("cannot write all events to log_events: ") + std::strerror(errno));
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  template <std::integral T> Line& field(std::string_view key, T value) {
    return number(key, static_cast<std::int64_t>(value));
  }
  Line& field(std::string_view key, Id auto id) { return number(key, fletcher::number(id)); }
  template <class Enum>
    requires(std::is_enum_v<Enum> && !Id<Enum>)
  Line& field(std::string_view key, Enum value) {
    return put(key, word(value));
  }
  Line& field(std::string_view key, std::span<const Dependence> list) {
    std::string items;
    for (const Dependence& item : list) {
      if (!items.empty()) items += ',';
      items += word(item.type);
      items += ':';
      items += item.all_memory ? "all" : hexadecimal(item.address);
    }
    return put(key, items);
  }
  Line& field(std::string_view key, std::span<const std::uint64_t> list) {
    std::string items;
    for (const std::uint64_t item : list) {
      if (!items.empty()) items += ',';
      items += std::to_string(item);
    }
    return put(key, items);
  }
  Line& address(std::string_view key, Address value) { return put(key, hexadecimal(value)); }
  Line& put(std::string_view key, std::string_view value) {
    text_ += ' ';
    text_ += key;
    text_ += '=';
    text_ += value;
    return *this;
  }

private:
  Line& number(std::string_view key, std::int64_t value) { return put(key, std::to_string(value)); }
  static std::string hexadecimal(Address value) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.begin(), digits.end(), value, 16).ptr;
    return "0x" + std::string(digits.begin(), end);
  }
  int file_;
  std::string text_;
};

} // namespace

EventLog* EventLog::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (file >= 0) return new EventLog(file);
  say("cannot write log_events '" + path + "': " + std::strerror(errno));
  return nullptr;
}

void EventLog::on(const ThreadBegin& e) {
  Line(file_, "thread_begin").field("thread", e.thread).field("openmp_worker", e.openmp_worker);
}
void EventLog::on(const ThreadEnd& e) { Line(file_, "thread_end").field("thread", e.thread); }
void EventLog::on(const ThreadCreate& e) {
  Line(file_, "thread_create").field("thread", e.thread).field("failed", e.failed);
}
void EventLog::on(const InitialTaskBegin& e) {
  Line(file_, "initial_task_begin").field("thread", e.thread).field("task", e.task).field("kind", e.kind);
}
void EventLog::on(const InitialTaskEnd& e) {
  Line(file_, "initial_task_end").field("thread", e.thread).field("task", e.task);
}
void EventLog::on(const ParallelBegin& e) {
  Line(file_, "parallel_begin")
      .field("thread", e.thread)
      .field("encountering", e.encountering)
      .field("team", e.team)
      .field("requested", e.requested)
      .field("league", e.league)
      .field("gomp", e.gomp)
      .address("pc", e.pc);
}
void EventLog::on(const ParallelEnd& e) {
  Line(file_, "parallel_end")
      .field("thread", e.thread)
      .field("encountering", e.encountering)
      .field("team", e.team)
      .address("pc", e.pc);
}
void EventLog::on(const ImplicitTaskBegin& e) {
  Line(file_, "implicit_task_begin")
      .field("thread", e.thread)
      .field("team", e.team)
      .field("task", e.task)
      .field("index", e.index)
      .field("size", e.size);
}
void EventLog::on(const ImplicitTaskEnd& e) {
  Line(file_, "implicit_task_end").field("thread", e.thread).field("team", e.team).field("task", e.task);
}
void EventLog::on(const Forked& e) { Line(file_, "forked").field("thread", e.thread); }
void EventLog::on(const ThreadsReleased& e) { Line(file_, "threads_released").field("thread", e.thread); }
void EventLog::on(const TaskCreate& e) {
  Line(file_, "task_create")
      .field("thread", e.thread)
      .field("creator", e.creator)
      .field("task", e.task)
      .field("kind", e.kind)
      .field("undeferred", e.traits.undeferred)
      .field("untied", e.traits.untied)
      .field("final", e.traits.final)
      .field("mergeable", e.traits.mergeable)
      .field("taskloop", e.traits.taskloop)
      .address("pc", e.pc);
}
void EventLog::on(const TaskDependences& e) {
  Line(file_, "task_dependences").field("thread", e.thread).field("task", e.task).field("list", e.list);
}
void EventLog::on(const TaskDependenceEdge& e) {
  Line(file_, "task_dependence_edge").field("thread", e.thread).field("before", e.before).field("after", e.after);
}
void EventLog::on(const TaskSwitch& e) {
  Line(file_, "task_switch").field("thread", e.thread).field("prior", e.prior).field("next", e.next);
}
void EventLog::on(const TaskEnd& e) {
  Line(file_, "task_end")
      .field("thread", e.thread)
      .field("task", e.task)
      .field("next", e.next)
      .field("detached", e.detached)
      .field("cancelled", e.cancelled)
      .address("block", e.block)
      .field("block_size", e.block_size);
}
void EventLog::on(const TaskFulfill& e) {
  Line(file_, "task_fulfill").field("thread", e.thread).field("task", e.task).field("early", e.early);
}
void EventLog::on(const SyncBegin& e) {
  Line(file_, "sync_begin")
      .field("thread", e.thread)
      .field("task", e.task)
      .field("team", e.team)
      .field("kind", e.kind)
      .address("pc", e.pc);
}
void EventLog::on(const SyncEnd& e) {
  Line(file_, "sync_end")
      .field("thread", e.thread)
      .field("task", e.task)
      .field("team", e.team)
      .field("kind", e.kind)
      .address("pc", e.pc);
}
void EventLog::on(const TaskgroupWait& e) {
  Line(file_, "taskgroup_wait").field("thread", e.thread).field("task", e.task).address("pc", e.pc);
}
void EventLog::on(const TaskwaitDepend& e) {
  Line(file_, "taskwait_depend")
      .field("thread", e.thread)
      .field("task", e.task)
      .field("begin", e.begin)
      .field("list", e.list)
      .address("pc", e.pc);
}
void EventLog::on(const MutexEvent& e) {
  Line(file_, "mutex_event")
      .field("thread", e.thread)
      .field("task", e.task)
      .field("kind", e.mutex.kind)
      .address("mutex", e.mutex.address)
      .field("step", e.step)
      .field("hint", e.hint)
      .address("pc", e.pc);
}
void EventLog::on(const Doacross& e) {
  Line(file_, "doacross")
      .field("thread", e.thread)
      .field("task", e.task)
      .field("team", e.team)
      .field("source", e.source)
      .field("iteration", e.iteration);
}
void EventLog::on(const DoacrossWait& e) {
  Line(file_, "doacross_wait")
      .field("thread", e.thread)
      .field("task", e.task)
      .field("begin", e.begin)
      .field("sink", e.sink)
      .address("pc", e.pc);
}
void EventLog::on(const Work& e) {
  Line(file_, "work")
      .field("thread", e.thread)
      .field("task", e.task)
      .field("team", e.team)
      .field("kind", e.kind)
      .field("begin", e.begin)
      .field("count", e.count)
      .address("pc", e.pc);
}
void EventLog::on(const Dispatch& e) {
  Line(file_, "dispatch")
      .field("thread", e.thread)
      .field("task", e.task)
      .field("team", e.team)
      .field("kind", e.kind)
      .field("start", e.start)
      .field("iterations", e.iterations);
}
void EventLog::on(const Masked& e) {
  Line(file_, "masked")
      .field("thread", e.thread)
      .field("task", e.task)
      .field("team", e.team)
      .field("begin", e.begin)
      .address("pc", e.pc);
}
void EventLog::on(const Reduction& e) {
  Line(file_, "reduction")
      .field("thread", e.thread)
      .field("task", e.task)
      .field("team", e.team)
      .field("begin", e.begin)
      .address("pc", e.pc);
}
void EventLog::on(const Combination& e) {
  Line(file_, "combination")
      .field("thread", e.thread)
      .field("task", e.task)
      .field("team", e.team)
      .field("begin", e.begin);
}
void EventLog::on(const Cancel& e) {
  Line(file_, "cancel")
      .field("thread", e.thread)
      .field("task", e.task)
      .field("kind", e.kind)
      .field("activated", e.activated)
      .field("discarded", e.discarded)
      .address("pc", e.pc);
}
void EventLog::on(const Flush& e) {
  Line(file_, "flush").field("thread", e.thread).field("task", e.task).address("pc", e.pc);
}
void EventLog::on(const ErrorDirective& e) {
  Line(file_, "error_directive")
      .field("thread", e.thread)
      .field("fatal", e.fatal)
      .put("message", e.message == nullptr ? std::string_view() : std::string_view(e.message, e.length))
      .address("pc", e.pc);
}
void EventLog::on(const Release& e) { Line(file_, "release").field("thread", e.thread).address("object", e.object); }
void EventLog::on(const Acquire& e) { Line(file_, "acquire").field("thread", e.thread).address("object", e.object); }
void EventLog::on(const MemoryBegin& e) {
  Line(file_, "memory_begin")
      .field("thread", e.thread)
      .address("address", e.address)
      .field("size", e.size)
      .field("kind", e.kind)
      .address("pc", e.pc);
}
void EventLog::on(const MemoryEnd& e) {
  Line(file_, "memory_end")
      .field("thread", e.thread)
      .address("address", e.address)
      .field("size", e.size)
      .field("kind", e.kind)
      .address("pc", e.pc);
}
void EventLog::on(const DeviceEvent& e) { Line(file_, "device_event").field("step", e.step).field("device", e.device); }
void EventLog::on(const TargetRegion& e) {
  Line(file_, "target_region")
      .field("thread", e.thread)
      .field("task", e.task)
      .field("begin", e.begin)
      .field("device", e.device)
      .address("pc", e.pc);
}
void EventLog::on(const DataOp& e) {
  Line(file_, "data_op")
      .field("thread", e.thread)
      .field("task", e.task)
      .field("kind", e.kind)
      .field("begin", e.begin)
      .address("source", e.source)
      .field("source_device", e.source_device)
      .address("target", e.target)
      .field("target_device", e.target_device)
      .field("bytes", e.bytes)
      .address("pc", e.pc);
}
void EventLog::on(const KernelSubmit& e) {
  Line(file_, "kernel_submit").field("thread", e.thread).field("task", e.task).field("begin", e.begin);
}

} // namespace fletcher::tool

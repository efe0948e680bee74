// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a thread is among the runtime's regions: the chain of implicit tasks that it is in, innermost first. And the
// guard that every callback enters through.
#pragma once

#include "lib/ompt/block.hpp"
#include "lib/ompt/runtime.hpp"
#include "lib/ompt/tag.hpp"
#include "lib/tool/control.hpp"
#include "lib/tool/serials.hpp"
#include "lib/tool/thread.hpp"

#include <array>
#include <atomic>

namespace fletcher::ompt {

/// One implicit task that the thread is in. Frames are made once for each nesting depth of a thread and used again.
struct Frame {
  Frame* outer = nullptr;
  Frame* inner = nullptr; ///< the frame to use for the next deeper level
  TeamId team = TeamId::none;
  TaskId task = TaskId::none;
  TaskId encountering = TaskId::none; ///< goes on when this one ends; none on a worker
  Address pc = 0;                     ///< of the construct, on the primary
  std::uint32_t size = 1;             ///< of the team
  std::uint32_t begun_in_company = 0; ///< regions and constructs (company.hpp)
  bool primary = false;               ///< this thread encountered the region
  bool closing = false;               ///< it has reached the barrier that closes the region
  bool league = false;
  bool in_single = false; ///< it executes a single construct
  bool coming = false;    ///< it has no part yet of the construct that it came to (company.hpp)
  bool sized = false;     ///< the program itself says how large the team is
  bool open = false;      ///< a team of one, of which nothing in the program says so
};

struct Local {
  Frame root; ///< outside any region
  Frame* frame = nullptr;
  TeamId begun = TeamId::none; ///< the region that this thread encountered and whose implicit task has not begun yet
  Address begun_pc = 0;
  Address league_pc = 0; ///< the construct of the league that comes next, which this library begins; else 0
  bool begun_league = false;
  bool begun_team_of_league = false;
  bool begun_open = false;     ///< the program leaves open how large its team is
  bool open = false;           ///< clang's code is about to begin a region, and the plugin has seen how it is compiled
  bool sized = false;          ///< the program has said how large the team is that comes next
  Address loop_body = 0;       ///< of a region that this library is about to begin with a loop; else 0
  bool gomp = false;           ///< the region that comes next begins by an entry point of gcc's
  TeamId ended = TeamId::none; ///< the region whose primary this thread was last, until its end is reported
  /// The taskloop constructs that it is in, as far as there is room: places, and the patterns of their tasks.
  std::array<Address, 4> taskloops{};
  std::array<Block, 4> patterns{};
  std::uint32_t taskloop_depth = 0;
  Address created_pc = 0;     ///< where it created the last task
  bool group_waited = false;  ///< the taskgroup that the thread is ending has been waited for, and that was reported
  bool hidden_helper = false; ///< a thread of the runtime's own helper team: its regions are nobody's
};
[[gnu::tls_model("initial-exec")]] inline constinit thread_local Local local{};

/// The program has set the number of threads of teams to come.
inline constinit std::atomic<bool> program_sizes_teams{false};

/// The thread enters an implicit task. Allocates only at a depth that it never had.
Frame& enter_frame(Local& here);
/// And leaves it: what it did before goes on.
void leave_frame(Local& here) noexcept;
/// Back to the state of a thread outside any region (a fresh thread, a forked child).
void reset_frames(Local& here) noexcept;

/// Whether a region that is encountered here is outermost, so that no limit on levels makes its team one of one. A
/// league's teams are outermost, though the runtime has a region of its own around each.
inline bool is_outside(const Local& here, const Frame* encountering) noexcept {
  if (encountering == nullptr || encountering == &here.root) return true;
  return encountering->outer->league && encountering->outer->outer == &here.root;
}

/// The innermost taskloop construct of this thread; 0 where unknown.
inline Address taskloop_place(const Local& here) noexcept {
  const std::uint32_t depth = here.taskloop_depth;
  return depth == 0 || depth > here.taskloops.size() ? 0 : here.taskloops[depth - 1];
}

/// Makes the thread known and takes over what the program asked of the tool.
void first_callback();

/// Every callback begins with one: the thread is known, the tool's own code does not look at itself.
class Entered {
public:
  Entered() {
    if (tool::this_thread.place.thread == ThreadId::none) [[unlikely]]
      first_callback();
    tool::control::poll();
  }
  tool::Where& place() const noexcept { return tool::this_thread.place; }
  ThreadId thread() const noexcept { return tool::this_thread.place.thread; }
  TaskId task() const noexcept { return tool::this_thread.place.task; }
  TeamId team() const noexcept { return tool::this_thread.place.team; }
  Local& here() const noexcept { return local; }

private:
  tool::InsideTool inside_;
};

/// The frame of the running task, whose data is `data` (null: unknown); null where the runtime does not tell.
/// LLVM's runtimes keep a task's data and its frame in one structure, so they are asked once, not for every task.
const ompt_frame_t* ask_frame_of_running_task(const ompt_data_t* data) noexcept;
inline constinit std::atomic<std::ptrdiff_t> from_data_to_frame{0}; ///< in bytes; 0 where not known yet
inline const ompt_frame_t* frame_of_running_task(const ompt_data_t* data) noexcept {
  const std::ptrdiff_t known = from_data_to_frame.load(std::memory_order_relaxed);
  if (known == 0 || data == nullptr) [[unlikely]]
    return ask_frame_of_running_task(data);
  return reinterpret_cast<const ompt_frame_t*>(reinterpret_cast<const char*>(data) + known);
}
/// Where the stack of the running task begins; 0 where unknown. The runtime tells while its body runs, not when it has
/// ended.
inline Address stack_of_running_task(const ompt_data_t* data = nullptr) noexcept {
  const ompt_frame_t* const frame = frame_of_running_task(data);
  return frame == nullptr ? 0 : code(frame->exit_frame.ptr);
}

/// Some task had depend clauses or uses variables of others by reference. Before that it does not matter which frames
/// are gone when a task waits.
inline constinit std::atomic<bool> frames_matter{false};
/// Every event reads what lies next to it: a store for each task would take that from the other threads.
inline void let_frames_matter() noexcept {
  if (!frames_matter.load(std::memory_order_relaxed)) frames_matter.store(true, std::memory_order_relaxed);
}

/// The thread goes on to what cannot be inside of a single construct (work.cpp).
void end_untold_single(const Entered& at);

/// The address of the runtime's frame that was called by the running task, which is on this thread's stack; 0 where the
/// runtime tells none, or another thread's, or what it took for one (a taskloop's may be the address of code).
inline Address entered_frame(const ompt_frame_t* frame) noexcept {
  const Address entered = frame == nullptr ? 0 : reinterpret_cast<Address>(frame->enter_frame.ptr);
  const Address here = reinterpret_cast<Address>(__builtin_frame_address(0)), end = tool::this_thread.stack.high;
  const bool possible =
      entered >= here && entered < end && end - entered >= 2 * sizeof(Address) && entered % sizeof(Address) == 0;
  return possible ? entered : 0;
}

/// Where the task's stack was when it called the runtime: its frames end there. The runtime tells the frame address of
/// its own function, which lies below the saved frame pointer's and the return address's places.
inline Address stack_at_call(const ompt_frame_t* frame) noexcept {
  const Address entered = entered_frame(frame);
  return entered == 0 ? 0 : entered + 2 * sizeof(Address);
}

/// The running task's call of the runtime that returns to `pc`. The function that was called keeps its caller's frame
/// pointer and the return address, unless the runtime tells another frame's address.
inline CallFrame call_at(const ompt_frame_t* frame, Address pc) noexcept {
  const Address entered = entered_frame(frame);
  if (entered == 0) return {};
  const auto* const saved = reinterpret_cast<const Address*>(entered);
  return saved[1] == pc ? CallFrame{pc, entered + 2 * sizeof(Address), saved[0]} : CallFrame{};
}

/// The serial in `data`, or of the running task where the runtime gives none.
inline TaskId task_of(const ompt_data_t* data, const Entered& at) noexcept {
  const Tag tag = Tag::of(data);
  return tag.task() == TaskId::none ? at.task() : tag.task();
}

} // namespace fletcher::ompt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/ompt/unwind.hpp"

#include "checker/memory/hash.hpp"
#include "lib/ompt/runtime.hpp"
#include "lib/tool/thread.hpp"

#include <unwind.h>

#include <array>
#include <cstring>
#include <utility>

namespace fletcher::ompt {

namespace {

constexpr std::array<int, 5> saved_registers{3, 12, 13, 14, 15}; // DWARF's numbers for x86-64, as FrameDetails has them
constexpr int rbp = 6;
constexpr std::size_t most_frames = 64;
constexpr std::size_t most_memory = 512; ///< bytes of a frame that are kept
// What a walk that was kept says of the frames' memory is seldom outdated; looking again copies it.
constexpr std::size_t free_walks_at_first = 256, asked_for_each_walk = 16384;
constexpr std::size_t free_looks_at_first = 4096, asked_for_each_look = 64;

Address word_at(Address place) noexcept {
  Address word = 0;
  std::memcpy(&word, reinterpret_cast<const void*>(place), sizeof word);
  return word;
}

/// Where variables of the frame are may be known from what it holds: its function needs a frame pointer, or was told to
/// have one. Other frames have a size that the compiler knew; the runtime's and
/// the tool's have no variables of the program.
bool may_vary(const CallFrame& call, Address end) noexcept {
  return call.frame_pointer >= call.stack_pointer && call.frame_pointer < end && !is_in_runtime(call.pc) &&
         !runtime.own_code.contains(call.pc);
}
bool varies(const StackFrame& frame) noexcept { return may_vary(frame.call, frame.details->end); }

struct Unwound {
  CallFrame call;
  std::array<Address, 5> registers;
};

/// What the unwinder has gone through so far.
struct Progress {
  Address from;                ///< frames whose function's stack ends below are left out
  Address until = ~Address{0}; ///< of interest
  std::vector<Unwound> frames;
  std::size_t passed = 0;
};

// A frame's canonical address, as the unwinder calls it, is where its function's stack ends at the call that it makes.
_Unwind_Reason_Code step(_Unwind_Context* context, void* progress_) noexcept {
  Progress& progress = *static_cast<Progress*>(progress_);
  Unwound now{{_Unwind_GetIP(context), _Unwind_GetCFA(context), _Unwind_GetGR(context, rbp)}, {}};
  if (now.call.pc == 0 || now.call.stack_pointer >= tool::this_thread.stack.high) return _URC_END_OF_STACK;
  if (now.call.stack_pointer >= progress.from) {
    for (std::size_t i = 0; i < now.registers.size(); ++i)
      now.registers[i] = _Unwind_GetGR(context, saved_registers[i]);
    progress.frames.push_back(now);
    if (now.call.stack_pointer > progress.until) return _URC_END_OF_STACK;
  }
  return progress.frames.size() <= most_frames && ++progress.passed < 4 * most_frames ? _URC_NO_REASON
                                                                                      : _URC_END_OF_STACK;
}

/// Without registers; where a frame of constant size has its variables does not depend on the frame pointer, either.
StackFrame described(CallFrame call, Address end) {
  FrameDetails details;
  details.end = end;
  details.memory_begin = std::max(call.stack_pointer, end - std::min<Address>(end, most_memory));
  if (may_vary(call, end)) {
    details.memory.resize((end - details.memory_begin) / sizeof(Address));
    std::memcpy(details.memory.data(), reinterpret_cast<const void*>(details.memory_begin),
                details.memory.size() * sizeof(Address));
  } else {
    call.frame_pointer = 0;
  }
  return {call, std::make_shared<const FrameDetails>(std::move(details))};
}

StackFrame described(const Unwound& frame, Address end) {
  const StackFrame bare = described(frame.call, end);
  if (!varies(bare)) return bare;
  FrameDetails details = *bare.details;
  details.registers.assign(frame.registers.begin(), frame.registers.end());
  return {frame.call, std::make_shared<const FrameDetails>(std::move(details))};
}

/// Frames end where their callers' begin; of the outermost one that is not known.
std::shared_ptr<const StackWalk> described(const std::vector<Unwound>& frames) {
  auto walk = std::make_shared<StackWalk>();
  for (std::size_t i = 0; i + 1 < frames.size(); ++i)
    walk->frames.push_back(described(frames[i], frames[i + 1].call.stack_pointer));
  return walk;
}

/// Nobody has returned since. Of a call that is made again with the same registers the frame has the same extent, and
/// so on outward.
bool is_valid(const StackWalk& walk) noexcept {
  const auto& frames = walk.frames;
  return std::all_of(std::next(frames.begin()), frames.end(), [](const StackFrame& frame) {
    return word_at(frame.call.stack_pointer - sizeof(Address)) == frame.call.pc;
  });
}

/// The same frames as they are now.
std::shared_ptr<const StackWalk> looked_at_again(const StackWalk& old) {
  auto walk = std::make_shared<StackWalk>(old);
  for (StackFrame& frame : walk->frames)
    if (varies(frame)) frame = described(frame.call, frame.details->end);
  return walk;
}

class Walks {
public:
  const std::shared_ptr<const StackWalk>& from(const CallFrame& call) {
    Kept& kept = kept_for(call);
    const bool again = is_of(kept, call);
    if (again && !kept.varies) return kept.walk;
    if (may(made_, free_walks_at_first, asked_for_each_walk)) return make(kept, call);
    if (!again) return nothing;
    if (may(looked_, free_looks_at_first, asked_for_each_look)) kept.walk = looked_at_again(*kept.walk);
    return kept.walk;
  }
  /// Of a frame whose size is always the same.
  bool is_in_frame_of(const CallFrame& call, Address variable) const noexcept {
    const Site& site = sites_[mix(call.pc) % sites_.size()];
    return site.pc == call.pc && variable - call.stack_pointer < site.size && !site.varies;
  }
  StackFrame frame(const CallFrame& call, Address variable) {
    if (const Site& site = site_of(call); site.pc == call.pc && variable - call.stack_pointer < site.size)
      if (!site.varies || !may(looked_, free_looks_at_first, asked_for_each_look)) return {call, nullptr};
    Kept& kept = kept_for(call);
    const StackFrame* found = is_of(kept, call) ? kept.walk->around(variable) : nullptr;
    if (found != nullptr && !varies(*found)) return *found;
    if (!may(made_, free_walks_at_first, asked_for_each_walk)) {
      if (found == nullptr) return {call, nullptr};
      if (!may(looked_, free_looks_at_first, asked_for_each_look)) return *found;
      return described(found->call, found->details->end);
    }
    make(kept, call);
    found = kept.walk == nullptr ? nullptr : kept.walk->around(variable);
    return found == nullptr ? StackFrame{call, nullptr} : *found;
  }
  static inline const std::shared_ptr<const StackWalk> nothing;

private:
  /// A call, and the size of its function's frame, which may have been another one before.
  struct Site {
    Address pc = 0;
    std::uint32_t size = 0;
    bool varies = false;
  };
  static std::size_t mix(Address a) noexcept { return memory::spread(a) >> 56; }
  struct Kept {
    std::shared_ptr<const StackWalk> walk;
    bool varies = false; ///< some frame of it does
  };
  Kept& kept_for(const CallFrame& call) noexcept {
    return walks_[mix(call.pc ^ (call.stack_pointer >> 4)) % walks_.size()];
  }
  Site& site_of(const CallFrame& call) noexcept { return sites_[mix(call.pc) % sites_.size()]; }

  static bool is_of(const Kept& kept, const CallFrame& call) noexcept {
    if (kept.walk == nullptr) return false;
    const CallFrame& then = kept.walk->frames.front().call;
    return then.pc == call.pc && then.stack_pointer == call.stack_pointer &&
           (then.frame_pointer == 0 || then.frame_pointer == call.frame_pointer) && is_valid(*kept.walk);
  }
  /// Counts what is done, and how often it was asked for.
  bool may(std::size_t& done, std::size_t at_first, std::size_t asked_for_each) noexcept {
    const bool answer = done < at_first + ++asked_ / asked_for_each;
    done += answer;
    return answer;
  }
  const std::shared_ptr<const StackWalk>& make(Kept& kept, const CallFrame& call) {
    kept = {};
    progress_.from = call.stack_pointer;
    progress_.frames.clear();
    progress_.passed = 0;
    _Unwind_Backtrace(step, &progress_);
    if (progress_.frames.size() < 2 || !(progress_.frames.front().call == call)) return kept.walk;
    kept.walk = described(progress_.frames);
    const auto& frames = kept.walk->frames;
    kept.varies = std::any_of(frames.begin(), frames.end(), varies);
    const Address size = frames.front().details->end - call.stack_pointer;
    site_of(call) = {call.pc, static_cast<std::uint32_t>(std::min<Address>(size, ~std::uint32_t{0})),
                     varies(frames.front())};
    return kept.walk;
  }

  Progress progress_{.from = 0, .frames = {}}; ///< its memory is used again: so much at once is a system call
  std::array<Kept, 16> walks_;
  std::array<Site, 64> sites_{};
  std::size_t asked_ = 0, made_ = 0, looked_ = 0;
};

[[gnu::tls_model("initial-exec")]] constinit thread_local Walks* walks = nullptr;

/// Of one that the program made itself nobody knows how far it may be read when it is another one.
bool is_on_own_stack(const CallFrame& call) noexcept {
  const tool::StackBounds& stack = tool::this_thread.stack;
  return call.known() && call.stack_pointer - stack.low < stack.high - stack.low;
}

} // namespace

StackFrame frame_around(Address address) noexcept {
  const Address here = reinterpret_cast<Address>(__builtin_frame_address(0));
  if (address < here || address >= tool::this_thread.stack.high) return {};
  Progress progress{.from = 0, .until = address, .frames = {}};
  _Unwind_Backtrace(step, &progress);
  const std::size_t count = progress.frames.size();
  if (count < 2 || progress.frames.back().call.stack_pointer <= address) return {};
  return described(progress.frames[count - 2], progress.frames.back().call.stack_pointer);
}

bool tells_all(const CallFrame& call, Address variable) noexcept {
  return walks != nullptr && is_on_own_stack(call) && walks->is_in_frame_of(call, variable);
}

StackFrame frame_at(const CallFrame& call, Address variable) noexcept {
  if (!is_on_own_stack(call) || variable < call.stack_pointer || variable >= tool::this_thread.stack.high) return {};
  if (walks == nullptr) walks = new Walks;
  return walks->frame(call, variable);
}

const std::shared_ptr<const StackWalk>& walk_from(const CallFrame& call) noexcept {
  if (!is_on_own_stack(call)) return Walks::nothing;
  if (walks == nullptr) walks = new Walks;
  return walks->from(call);
}

void free_walks() noexcept { delete std::exchange(walks, nullptr); }

} // namespace fletcher::ompt

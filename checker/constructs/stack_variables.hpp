// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frames that hold variables which rules may name: of list items of depend clauses, of locks. For reports only,
// which find the variable's name by them; nothing else is decided by it.
#pragma once

#include "checker/constructs/execution.hpp"
#include "checker/memory/hash.hpp"
#include "checker/memory/spin_lock.hpp"

#include <array>
#include <span>
#include <unordered_map>

namespace fletcher::constructs {

/// Thread-safe. Of an address the last frame is known, of too many addresses some. Each call costs one look-up, except
/// for what is entered again and again (a chain of tasks on one variable): one load.
class StackVariables {
public:
  void enter(Address variable, const StackFrame& frame) {
    Shard& s = shard(variable);
    std::atomic<std::uint64_t>& entered = s.entered[variable / 8 % s.entered.size()];
    const std::uint64_t entry = hash(variable, frame);
    if (entered.load(std::memory_order_relaxed) == entry) return;
    const memory::SpinGuard guard(s.lock);
    entered.store(entry, std::memory_order_relaxed);
    if (s.frames.size() >= most) s.frames.clear();
    some_.store(true, std::memory_order_relaxed);
    s.frames[variable] = frame;
  }
  void forget(Address variable) {
    if (!some_.load(std::memory_order_relaxed)) return;
    Shard& s = shard(variable);
    const memory::SpinGuard guard(s.lock);
    s.entered[variable / 8 % s.entered.size()].store(0, std::memory_order_relaxed);
    s.frames.erase(variable);
  }
  /// Unknown where no frame was reported.
  StackFrame find(Address variable) const {
    const Shard& s = shard(variable);
    const memory::SpinGuard guard(s.lock);
    const auto at = s.frames.find(variable);
    return at == s.frames.end() ? StackFrame{} : at->second;
  }

private:
  static constexpr std::size_t most = 1u << 12;
  struct Shard {
    mutable memory::SpinLock lock;
    std::unordered_map<Address, StackFrame> frames;
    std::array<std::atomic<std::uint64_t>, 64> entered{}; ///< hashes of entries, by their addresses; changed under lock
  };
  static std::uint64_t hash(Address variable, const StackFrame& frame) noexcept {
    const CallFrame& call = frame.call;
    return memory::mix(memory::mix(memory::mix(memory::mix(variable, call.pc), call.stack_pointer), call.frame_pointer),
                       reinterpret_cast<std::uintptr_t>(frame.details.get()));
  }
  Shard& shard(Address variable) noexcept { return shards_[variable / 4096 % shards_.size()]; }
  const Shard& shard(Address variable) const noexcept { return shards_[variable / 4096 % shards_.size()]; }
  std::array<Shard, 16> shards_;
  std::atomic<bool> some_{false};
};

/// Of the frames that are known when `creator` makes the call on its thread, the one that `variable` can be in: the
/// innermost that does not lie above it. Whether it reaches so far only its function's debug information tells.
StackFrame frame_around(const Execution& execution, const access::ThreadState& thread, const Task& creator,
                        const CallFrame& call, Address variable);
/// `creator` names the items of `list` by this call on its thread: `items` has their frames then, as far as known.
/// `frames`: of each item as the event tells them, or empty.
void keep_frames(StackVariables& items, const Execution& execution, const access::ThreadState& thread,
                 const Task& creator, std::span<const Dependence> list, const CallFrame& call,
                 std::span<const StackFrame> frames);

} // namespace fletcher::constructs

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The strong identifiers that events, findings and tables are written in. Nothing else is relied on.
#pragma once

#include <cstdint>

namespace fletcher {

/// A byte address of the checked program, or an address of its code.
using Address = std::uintptr_t;

/// A task's serial number: given once, never reused within a process. 0 is no task.
enum class TaskId : std::uint32_t { none = 0 };

/// A team (one execution of a parallel construct, or of one team of a league). Never reused. 0 is no team.
enum class TeamId : std::uint32_t { none = 0 };

/// An operating-system thread, numbered densely from 1; never reused.
enum class ThreadId : std::uint32_t { none = 0 };

/// A strand: a maximal stretch of one task without a synchronisation point (Cilk's word). Ids grow with
/// time along every chain, so a strand id is also its own epoch (see order/strands.hpp). 0 is no strand.
enum class StrandId : std::uint32_t { none = 0 };

/// A chain: strands that happen one after the other; the component of a vector clock. 0 is no chain.
enum class ChainId : std::uint32_t { none = 0 };

/// An interned set of held locks; 0 is the empty set.
enum class LocksetId : std::uint32_t { empty = 0 };

/// A node of the calling-context tree (access/call_tree.hpp): a call stack. 0 is the unknown stack.
enum class ContextId : std::uint32_t { none = 0 };

/// The plain number behind a strong id.
template <class Id> constexpr std::uint32_t number(Id id) noexcept { return static_cast<std::uint32_t>(id); }

/// Ids of strands are given in blocks of so many (order/strand_block.hpp).
inline constexpr std::uint32_t strands_per_block = 4;

/// A thread looks for what it knows of a joint strand (order/joint.hpp) at one of so many slots.
inline constexpr std::uint32_t joint_slots = 8;
constexpr std::uint32_t joint_slot(StrandId joint) noexcept { return number(joint) / strands_per_block % joint_slots; }

} // namespace fletcher

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only tasks have that are more than a piece of work: implicit ones, and those that wait in a rare way.
#pragma once

#include "checker/constructs/latest_frame.hpp"
#include "checker/events.hpp"
#include "checker/order/knowledge.hpp"

#include <cstdint>
#include <memory>
#include <unordered_set>
#include <vector>

namespace fletcher::constructs {

struct Task;

/// Memory that may be the thread's own, by granules, which it has written in sections of locks (every_member.hpp).
struct KeptInside {
  std::unordered_set<Address> granules;
};

struct Rare {
  std::vector<Task*> awaited;            ///< referenced: by its taskwait with depend
  std::vector<Dependence> awaited_items; ///< and what it named
  Address frames_end = 0;                ///< of an implicit task: its frames are below this, 0 where unknown
  LatestFrame frame;                     ///< of an implicit task, where it created the last task
  std::uint32_t works = 0;               ///< begins and ends of worksharing constructs it has met
  std::uint32_t loops = 0;               ///< worksharing loops begun: iterations are ordered within one loop only
  std::uint64_t barriers = 0;            ///< of an implicit task: how many it has left
  bool at_internal = false;              ///< it waits at a barrier that the runtime needs, not the program
  std::uint64_t met = 0;                 ///< worksharing constructs and barriers that all of its team must meet
  /// An implicit task that executes a unit of work: the unit's strands have this id or a higher one. Otherwise none.
  StrandId unit_since = StrandId::none;
  StrandId unit_floor = StrandId::none; ///< what comes before the unit on whatever thread
  /// What `ordered` and iterations that it waits for have told of its own chain: up to `upto` (Knowledge::get), and
  /// what of that comes before its unit, which is less where the unit itself, or an earlier one, was told so; `outside`
  /// without any of that. Another thread would not have done the earlier one.
  struct ToldInTurn {
    StrandId upto = StrandId::none, counts = StrandId::none, outside = StrandId::none;
  } told_in_turn;
  /// Since then it may have a number of its own (draw_number): with what came before, its units are as ever.
  StrandId drew_number = StrandId::none;
  /// Which of its units of work it is in, of those that another thread could have executed wherever it was before; they
  /// are counted round. 0: in none, or in one of which it is not known what its thread may know of itself.
  std::uint8_t unit_number = 0, latest_unit = 0;
  static constexpr std::uint8_t unit_of_masked = 255; ///< which no other thread executes, but that is no unit's either
  /// ThreadState::strands when it drew its number by waiting for a lock. As long as there are no more, it has not
  /// looked at anything since.
  std::uint32_t strands_at_draw = ~std::uint32_t{0};
  StrandId loop_floor = StrandId::none; ///< what came before the construct that it is in, or after the last one
  /// Its last construct since the barrier of which another thread could have executed what it did: that has ids above
  /// the first and below the second. None where there is none.
  StrandId moved_after = StrandId::none, moved_until = StrandId::none;
  std::uint64_t loop_count = 0; ///< iterations of the loop that it is in
  /// ThreadState::met_earlier_units when it came to the loop.
  std::uint32_t met_before_loop = 0;
  /// What of the construct that it is in another thread could have executed: chunks; pieces of a static loop, which
  /// come after what their thread did before the loop; sections.
  enum class Moving : std::uint8_t { nothing, chunks, pieces, sections } moving = Moving::nothing;
  /// So many ids of the unit's strands, or of those since it drew a number, had nobody before (strand.cpp).
  static constexpr std::uint32_t most_new_ids = 1u << 16;
  bool is_long = false;  ///< they were more
  bool combines = false; ///< the unit is the combination of a reduction
  /// No unit, but what comes after such a combination: all that its own thread did and that may come later is the
  /// combination.
  bool has_combined = false;
  StrandId before_combination = StrandId::none; ///< the last strand before it
  std::unique_ptr<KeptInside> kept;             ///< null where it was in no section that keeps what it learns
  bool has_gathered = false;                    ///< since the last barrier it was at a gathering (combination.cpp)
  order::Knowledge combined; ///< what those knew who had gcc's lock of atomic updates before: it combines by that
};

} // namespace fletcher::constructs

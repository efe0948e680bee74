// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a granule's cells recorded when an access came, and what was decided to do about it. A thread remembers its last
// decisions: neighbouring granules mostly look alike. Relies on cell.hpp.
#pragma once

#include "checker/access/cells/cell.hpp"
#include "checker/access/cells/cell_row.hpp"

#include <array>

namespace fletcher::access {

/// The cells of a granule as a thread found them.
struct Found {
  std::uint64_t cells[CellRow::planes];
  unsigned used; ///< so many of them count
};

/// What has to be done to record an access.
struct Change {
  Cell now;            ///< the new first cell
  unsigned moved = 0;  ///< the plane to which the old first cell moves; 0: it is dropped
  unsigned trims = 0;  ///< a bit for each cell of which only without(cell, now) stays
  unsigned joined = 0; ///< this further cell records the bytes of joined_from, too; 0: none does
  unsigned joined_from = 0;
  bool nothing = false;    ///< the access is recorded already, or unrecorded
  bool unrecorded = false; ///< there is no place for it
  bool alike = true;       ///< holds for every granule whose cells differ in their sites only
  bool repeats = false;    ///< and not even in these: a race was met that was reported before
  bool joins = false;      ///< nor here: it becomes one cell with a read at the same site
};

/// A change that holds for all granules that look the same, as long as the thread's turn is the same.
class Decisions {
public:
  /// Null where the thread has decided nothing, or something else since, about such an access to such a granule.
  const Change* find(const Found& found, Cell now, std::uint32_t turn) const noexcept {
    const Decision& known = decisions_[slot(found, now)];
    bool same = known.now == now.raw() && known.turn == turn && known.found.used == found.used;
    for (unsigned i = 0; same && i < found.used; ++i) same = known.found.cells[i] == found.cells[i];
    return same ? &known.change : nullptr;
  }
  void remember(const Found& found, Cell now, std::uint32_t turn, const Change& change) noexcept {
    decisions_[slot(found, now)] = {found, turn, now.raw(), change};
  }

  /// Calls `f(cell)` for all that it remembers.
  template <class F> void each_cell(F f) const {
    for (const Decision& known : decisions_) {
      f(Cell(known.now));
      for (unsigned i = 0; i < known.found.used; ++i) f(Cell(known.found.cells[i]));
    }
  }

private:
  struct Decision {
    Found found{};
    std::uint32_t turn = 0;
    std::uint64_t now = 0;
    Change change{};
  };
  /// What differs among the decisions that a loop needs: where in the code it is, which bytes, and who was there last.
  static std::size_t slot(const Found& found, Cell now) noexcept {
    const std::uint64_t mixed = (found.cells[0] >> Cell::strand_shift) + (found.cells[0] >> Cell::site_shift) +
                                number(now.site()) + now.mask() + found.used * 5;
    return mixed % std::tuple_size_v<decltype(decisions_)>;
  }
  std::array<Decision, 16> decisions_{};
};

} // namespace fletcher::access

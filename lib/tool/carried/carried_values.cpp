// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/carried/carried_values.hpp"

#include "lib/tool/carried/branches.hpp"
#include "lib/tool/carried/values.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace fletcher::tool::carried {

namespace {

using Is = Value::Is;
using As = Use::As;

enum class Level : std::uint8_t { plain, fresh, carried };

/// Of the constructs of a function a bit for each: those that it may be in.
using Constructs = std::uint64_t;
constexpr Constructs by_entry = 1;

class Flow {
public:
  explicit Flow(const std::vector<Block>& blocks)
      : blocks_(blocks), values_(blocks), branches_(blocks), levels_(values_.size(), Level::plain),
        decided_(blocks.size(), Level::plain), joins_(blocks.size()), in_(blocks.size(), 0),
        atomic_(blocks.size(), false), effects_(blocks.size(), false) {}

  Doubts doubts() {
    if (!number_constructs()) return {.of_all = true, .constructs = {}};
    find_constructs();
    find_effects();
    find_numbers_of_units();
    stack_is_known_ = find_whether_stack_is_known();
    spread();
    for (const Use& use : values_.uses()) judge(use);
    Doubts found;
    for (std::size_t i = 0; i < begins_.size(); ++i)
      if ((doubted_ >> i & 1) != 0) found.constructs.insert(begins_[i]);
    return found;
  }

private:
  static bool begins(Call call) noexcept { return call == Call::begin || call == Call::nested; }

  bool number_constructs() {
    begins_.push_back(0);
    for (const Block& block : blocks_)
      if (begins(block.lines.back().call)) begins_.push_back(block.lines.back().next());
    return begins_.size() <= 64;
  }
  Constructs begun_by(const Block& block) const {
    const auto at = std::ranges::find(begins_, block.lines.back().next());
    return begins(block.lines.back().call) ? Constructs{1} << (at - begins_.begin()) : 0;
  }

  struct Where {
    Constructs in = 0;
    bool atomic = false; ///< under gcc's lock of atomic updates
  };
  /// Before the line.
  Where at(std::size_t block, std::size_t line) const {
    Where where{in_[block], atomic_[block]};
    for (std::size_t i = 0; i < line; ++i) pass(where, blocks_[block].lines[i]);
    return where;
  }
  static void pass(Where& where, const Line& line) noexcept {
    const bool ends = line.call == Call::end || line.call == Call::end_by_one;
    if (ends) where.in = 0;
    if (line.call == Call::atomic_begin) where.atomic = true;
    // Clang's code that combines by atomic operations has no end.
    if (line.call == Call::atomic_end || ends || begins_unit(line.call)) where.atomic = false;
  }

  void find_constructs() {
    in_[0] = by_entry;
    std::vector<std::size_t> open{0};
    std::vector<bool> seen(blocks_.size());
    seen[0] = true;
    while (!open.empty()) {
      const std::size_t block = open.back();
      open.pop_back();
      Where end = at(block, blocks_[block].lines.size());
      if (const Constructs begun = begun_by(blocks_[block]); begun != 0) end.in = begun;
      for (const std::size_t to : blocks_[block].to) {
        const bool atomic = end.atomic && (!seen[to] || atomic_[to]); // by all ways
        if (seen[to] && (end.in & ~in_[to]) == 0 && atomic == atomic_[to]) continue;
        seen[to] = true;
        in_[to] |= end.in;
        atomic_[to] = atomic;
        open.push_back(to);
      }
    }
    leave_untaken();
  }

  /// By clang who gets nothing of a construct, or no further chunk of a loop, comes to no end of it, nor back to the
  /// call for the next one.
  void leave_untaken() {
    Constructs taken = 0;
    std::vector<bool> inside(blocks_.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const bool is_inside = std::ranges::any_of(blocks_[i].lines, [](const Line& line) {
        return line.call == Call::end_by_one || (line.call == Call::next && line.bounds.bytes != 0);
      });
      if (!is_inside) continue;
      taken |= in_[i];
      inside[i] = true;
      open.push_back(i);
    }
    while (!open.empty()) {
      const std::size_t block = open.back();
      open.pop_back();
      for (const std::size_t from : blocks_[block].from) {
        if (inside[from] || blocks_[from].lines.back().call == Call::begin) continue;
        inside[from] = true;
        open.push_back(from);
      }
    }
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (!inside[i]) in_[i] &= ~taken;
  }

  // A read is one, too: the program makes it or not. So is the function's end: what follows is elsewhere.
  void find_effects() {
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      effects_[i] = (blocks_[i].to.empty() && blocks_[i].lines.back().call != Call::never_returns) ||
                    std::ranges::any_of(blocks_[i].lines, [](const Line& line) {
                      return line.is.does == Instruction::Does::call && line.call != Call::never_returns;
                    });
    for (const Use& use : values_.uses())
      if (use.as == As::stored || (use.as == As::address && !is_address_on_stack(use))) effects_[use.block] = true;
  }

  bool is_address_on_stack(const Use& use) const {
    return std::ranges::any_of(use.values, [this](ValueId id) { return values_.on_stack(id); });
  }

  /// Which values are computed from what the runtime said of a unit alone: whether there is one, and which section.
  void find_numbers_of_units() {
    of_unit_.assign(values_.size(), true);
    const auto is_of_unit = [this](ValueId id) {
      const ValueId one = values_.find(id);
      return values_[one].is == Is::constant || of_unit_[one];
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (ValueId id = 0; id < values_.size(); ++id) {
        const Value& value = values_[id];
        const bool is = value.is == Is::unit ||
                        (value.is != Is::read && value.is != Is::constant && std::ranges::all_of(value.of, is_of_unit));
        if (!of_unit_[id] || is) continue;
        of_unit_[id] = false;
        changed = true;
      }
    }
  }

  Level level(ValueId id) const { return levels_[values_.find(id)]; }
  Level level(const std::vector<ValueId>& of) const {
    Level highest = Level::plain;
    for (const ValueId id : of) highest = std::max(highest, level(id));
    return highest;
  }

  /// Ways join here, of which some value or other decided which one was taken.
  Level by_way(const Value& value) const {
    Level decided = decided_[value.block];
    for (const auto& [branch, by] : joins_[value.block])
      if (by > decided && differs_behind(value, branch)) decided = by;
    if (decided != Level::fresh) return decided;
    // That of the unit before, where two values are older than this unit.
    std::set<std::size_t> units;
    for (const ValueId id : value.of)
      if (const Value& one = values_[values_.find(id)]; one.is == Is::aged) units.insert(one.block);
    return units.size() > 1 ? Level::carried : decided;
  }

  /// It is not the same on all ways that come from the branch. Others may come there, too, as round a loop.
  bool differs_behind(const Value& value, std::size_t branch) const {
    const std::vector<std::size_t>& from = blocks_[value.block].from;
    const std::vector<std::size_t>& decided = decided_by(branch);
    const std::size_t first = value.of.size() - from.size(); // where the function begins there is one more
    std::optional<ValueId> one;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i] != branch && !std::ranges::binary_search(decided, from[i])) continue;
      const ValueId id = values_.find(value.of[first + i]);
      if (one && *one != id) return true;
      one = id;
    }
    return false;
  }

  const std::vector<std::size_t>& decided_by(std::size_t branch) const {
    const auto [at, is_new] = known_decided_.try_emplace(branch);
    if (is_new) {
      at->second = branches_.decided_by(branch);
      std::ranges::sort(at->second);
    }
    return at->second;
  }

  Level of(const Value& value) const {
    const Level highest = level(value.of);
    switch (value.is) {
    case Is::constant:
      return Level::plain;
    case Is::unit:
      return Level::fresh;
    case Is::read:
      return std::max({highest, decided_[value.block], memory_[is_on_stack(value) ? on_stack : elsewhere]});
    case Is::computed:
    case Is::indexed:
      return highest;
    case Is::joined:
      return std::max(highest, by_way(value));
    case Is::aged:
      return highest == Level::plain ? Level::plain : Level::carried;
    }
    return Level::carried;
  }

  /// Until nothing changes.
  void spread() {
    for (bool changed = true; changed;) {
      changed = false;
      for (ValueId id = 0; id < values_.size(); ++id) {
        if (values_.find(id) != id) continue;
        if (const Level now = of(values_[id]); now > levels_[id]) {
          levels_[id] = now;
          changed = true;
        }
      }
      for (const Use& use : values_.uses())
        if ((use.as == As::decision && decide(use)) || store(use)) changed = true;
    }
  }

  enum Memory : std::size_t { elsewhere, on_stack };
  /// Where the read may be of what the stores stored.
  bool is_on_stack(const Value& read) const {
    return read.from_stack || std::ranges::any_of(read.of, [this](ValueId id) { return values_.on_stack(id); });
  }

  /// A carried value that the thread stores it may read again. What others stored in memory of their own and of all,
  /// and what it stored in an earlier unit, is seen where accesses are checked.
  bool store(const Use& use) {
    if (use.as != As::stored || level(use.values) != Level::carried) return false;
    const Where where = at(use.block, use.line);
    if (where.in == 0 || where.atomic || blocks_[use.block].lines[use.line].is.locks) return false;
    const bool here =
        use.on_stack || std::ranges::any_of(use.where, [this](ValueId id) { return values_.on_stack(id); });
    const bool changed = raise(memory_[here ? on_stack : elsewhere], Level::carried);
    return (!here && stack_is_known_ && raise(memory_[on_stack], Level::carried)) || changed;
  }

  /// Somebody else may have an address on the stack.
  bool find_whether_stack_is_known() const {
    return std::ranges::any_of(values_.uses(), [this](const Use& use) {
      return (use.as == As::argument || use.as == As::stored) &&
             std::ranges::any_of(use.values, [this](ValueId id) { return values_.on_stack(id); });
    });
  }

  static bool raise(Level& level, Level to) noexcept { return level < to ? (level = to, true) : false; }

  bool decide(const Use& use) {
    const Level by = level(use.values);
    if (by == Level::plain) return false;
    bool changed = false;
    for (const std::size_t block : decided_by(use.block)) changed |= raise(decided_[block], by);
    if (const auto behind = branches_.behind(use.block)) changed |= raise(joins_[*behind][use.block], by);
    return changed;
  }

  void judge(const Use& use) {
    const Level known = level(use.values);
    if (known == Level::plain) return;
    const Where where = at(use.block, use.line);
    if (use.as == As::decision) {
      if (!judge_branch(use, where)) return;
    } else if (is_exempt(use, where)) {
      return;
    }
    if (use.as == As::stored && where.in != 0) return; // store() has seen to it
    const bool begins_elsewhere = use.as == As::argument && blocks_[use.block].lines[use.line].call == Call::nested;
    if (where.in == 0 || begins_elsewhere)
      doubt_all_from(use.block);
    else if (known == Level::carried)
      doubted_ |= where.in;
  }

  bool is_exempt(const Use& use, const Where& where) const {
    return use.as == As::stored ? where.atomic || blocks_[use.block].lines[use.line].is.locks
                                : use.as == As::address && is_address_on_stack(use);
  }

  /// Whether what it decides matters.
  bool judge_branch(const Use& use, const Where& where) {
    const bool asks_for_unit =
        std::ranges::all_of(use.values, [this](ValueId id) { return of_unit_[values_.find(id)]; });
    bool matters = false;
    for (const std::size_t block : decided_by(use.block)) {
      matters |= effects_[block];
      // The way itself shows earlier units.
      const Call last = blocks_[block].lines.back().call;
      doubted_ |= begun_by(blocks_[block]);
      if (last == Call::next && !asks_for_unit) doubted_ |= where.in;
    }
    return matters && !(asks_for_unit && level(use.values) == Level::fresh);
  }

  /// The thread has done, outside of units, what depends on those that it had.
  void doubt_all_from(std::size_t block) {
    std::vector<bool> seen(blocks_.size());
    std::vector<std::size_t> open{block};
    seen[block] = true;
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      doubted_ |= begun_by(blocks_[at]);
      for (const std::size_t to : blocks_[at].to)
        if (!seen[to]) {
          seen[to] = true;
          open.push_back(to);
        }
    }
  }

  const std::vector<Block>& blocks_;
  const Values values_;
  const Branches branches_;
  std::vector<Level> levels_;                       ///< of values
  std::vector<Level> decided_;                      ///< of blocks: what decides whether they are executed
  std::vector<std::map<std::size_t, Level>> joins_; ///< of blocks: the branches behind whose ways they are
  mutable std::map<std::size_t, std::vector<std::size_t>> known_decided_;
  std::vector<Constructs> in_; ///< at their begins
  std::vector<bool> atomic_, effects_;
  std::vector<bool> of_unit_;                               ///< values
  std::array<Level, 2> memory_{Level::plain, Level::plain}; ///< what was stored
  bool stack_is_known_ = false;
  std::vector<Address> begins_;
  Constructs doubted_ = 0;
};

} // namespace

Doubts doubts_of(FunctionExtent function, const NameOf& name_of, Address nested) {
  const std::vector<Block> blocks = blocks_of(function, name_of, nested);
  if (blocks.empty()) return {.of_all = true, .constructs = {}};
  return Flow(blocks).doubts();
}

Address first_argument(FunctionExtent function, const NameOf& name_of, Address return_address) {
  const std::vector<Block> blocks = blocks_of(function, name_of);
  if (blocks.empty()) return 0;
  for (const Block& block : blocks)
    for (const Line& line : block.lines)
      if (line.next() == return_address) return Values(blocks).first_argument_of(line.at).value_or(0);
  return 0;
}

} // namespace fletcher::tool::carried

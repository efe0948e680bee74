// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/carried/stack_places.hpp"

#include <algorithm>
#include <iterator>

namespace fletcher::tool::carried {

std::vector<StackAccess> stack_accesses(const Line& line) {
  constexpr std::int32_t word = 8;
  const Instruction& is = line.is;
  std::vector<StackAccess> accesses;
  if (is.does == Instruction::Does::call || is.does == Instruction::Does::leave) return accesses;
  const bool moves_stack = (is.sets & stack_pointer) == 0;
  if (is.stack_change == -word && moves_stack && line.stack)
    accesses.push_back({.at = *line.stack - word, .bytes = word, .reads = false, .writes = true});
  if (is.stack_change == word && moves_stack && line.stack)
    accesses.push_back({.at = *line.stack, .bytes = word, .reads = true, .writes = false});
  if ((is.reads_memory || is.writes_memory) && line.frame && is.width != 0)
    accesses.push_back({.at = *line.frame, .bytes = is.width, .reads = is.reads_memory, .writes = is.writes_memory});
  return accesses;
}

StackPlaces::StackPlaces(const std::vector<Block>& blocks, const StackUse& use) {
  std::set<std::int32_t> cuts;
  std::vector<StackAccess> accesses;
  for (const Block& block : blocks)
    for (const Line& line : block.lines)
      for (const StackAccess& access : stack_accesses(line)) {
        cuts.insert({access.at, access.at + access.bytes});
        accesses.push_back(access);
      }
  for (auto cut = cuts.begin(); cut != cuts.end() && std::next(cut) != cuts.end(); ++cut)
    places_.push_back({.at = *cut, .end = *std::next(cut)});
  for (const StackAccess& access : accesses)
    if (access.reads)
      for (auto [i, end] = in(access.at, access.at + access.bytes); i < end; ++i) places_[i].loaded = true;
  for (const auto& [begin, end] : use.shown)
    for (auto [i, last] = in(begin, end); i < last; ++i) places_[i].shown = true;
  for (const auto& [call, written] : use.bounds)
    for (const auto& [begin, end] : written)
      for (auto [i, last] = in(begin, end); i < last; ++i) {
        places_[i].shown = false;
        places_[i].bounds = true;
      }
}

std::pair<std::size_t, std::size_t> StackPlaces::in(std::int64_t begin, std::int64_t end) const noexcept {
  const auto first = std::ranges::upper_bound(places_, begin, {}, &Place::end);
  const auto last = std::ranges::lower_bound(first, places_.end(), end, {}, &Place::at);
  return {static_cast<std::size_t>(first - places_.begin()), static_cast<std::size_t>(last - places_.begin())};
}

} // namespace fletcher::tool::carried

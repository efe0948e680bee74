// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/carried/definitions.hpp"

#include <algorithm>

namespace fletcher::tool::carried {

using Is = Value::Is;

Definitions::Definitions(const std::vector<Block>& blocks, Values& values)
    : blocks_(blocks), values_(values), bounds_of_(blocks.size()), here_(blocks.size()), at_begin_(blocks.size()) {
  undefined_ = add(Is::constant, 0);
}

ValueId Definitions::add(Is is, std::size_t block, std::vector<ValueId> of) {
  Value value;
  value.is = is;
  value.block = block;
  value.of = std::move(of);
  values_.values_.push_back(std::move(value));
  return values_.values_.size() - 1;
}

ValueId Definitions::computed(std::vector<ValueId> of, Is is) {
  std::ranges::sort(of);
  const auto [first, last] = std::ranges::unique(of);
  of.erase(first, last);
  return add(is, block_, std::move(of));
}

ValueId Definitions::number(std::uint64_t constant) {
  const auto [at, is_new] = numbers_.try_emplace(constant, 0);
  if (is_new) values_.values_[at->second = add(Is::constant, 0)].number = constant;
  return at->second;
}

ValueId Definitions::frame(std::int32_t address) {
  const auto [at, is_new] = frames_.try_emplace(address, 0);
  if (is_new) values_.values_[at->second = add(Is::constant, 0)].frame = address;
  return at->second;
}

ValueId Definitions::part(ValueId whole, std::size_t which) {
  const auto [at, is_new] = parts_.try_emplace({whole, which}, 0);
  if (is_new) at->second = computed({whole});
  return at->second;
}

std::optional<ValueId> Definitions::whole_of(const std::vector<ValueId>& parts) const {
  for (const auto& [whole_and_part, id] : parts_) {
    if (id != parts.front() || whole_and_part.second != 0) continue;
    bool is_whole = true;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const auto other = parts_.find({whole_and_part.first, i});
      is_whole = is_whole && other != parts_.end() && other->second == parts[i];
    }
    if (is_whole) return whole_and_part.first;
  }
  return std::nullopt;
}

ValueId Definitions::get(std::size_t place, std::size_t block) {
  if (const auto at = here_[block].find(place); at != here_[block].end()) return at->second;
  const ValueId id = at_begin(place, block);
  here_[block].emplace(place, id);
  return id;
}

ValueId Definitions::at_begin(std::size_t place, std::size_t block) {
  const auto [at, is_new] = at_begin_[block].try_emplace(place, undefined_);
  if (!is_new) return at->second;
  const bool is_entry = blocks_[block].from.empty(); // what it is there
  const ValueId id = add(is_entry ? Is::constant : Is::joined, block);
  at_begin_[block][place] = id;
  if (values_[id].is == Is::joined) open_.emplace_back(place, id);
  return id;
}

std::vector<ValueId> Definitions::get_all(Registers registers) {
  std::vector<ValueId> all;
  for (std::size_t i = 0; registers != 0; ++i, registers >>= 1)
    if ((registers & 1) != 0) all.push_back(get(i));
  return all;
}

void Definitions::set_all(Registers registers, ValueId id) {
  for (std::size_t i = 0; registers != 0; ++i, registers >>= 1)
    if ((registers & 1) != 0 && (stack_pointer >> i & 1) == 0) set(i, id);
}

void Definitions::join() {
  while (!open_.empty()) {
    const auto [place, id] = open_.back();
    open_.pop_back();
    const std::size_t block = values_[id].block;
    std::vector<ValueId> of;
    if (block == 0) of.push_back(add(Is::constant, 0));
    for (const std::size_t from : blocks_[block].from) {
      ValueId one = get(place, from);
      // What the call itself returns is of the new unit.
      const bool is_result = (place < flags && (results >> place & 1) != 0) || bounds_of_[from].contains(place);
      if (!is_result && begins_unit(blocks_[from].lines.back().call)) one = add(Is::aged, from, {one});
      of.push_back(one);
    }
    values_.values_[id].of = std::move(of);
  }
  values_.make_equal();
  values_.find_stack();
}

} // namespace fletcher::tool::carried

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Post-dominators by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
#include "lib/tool/carried/branches.hpp"

#include <utility>

namespace fletcher::tool::carried {

namespace {
/// Not behind a call that never returns: that comes to no end of the function.
bool returns(const Block& block) noexcept { return block.to.empty() && block.lines.back().call != Call::never_returns; }
} // namespace

Branches::Branches(const std::vector<Block>& blocks)
    : blocks_(blocks), behind_(blocks.size() + 1, unknown), order_(blocks.size() + 1, 0) {
  const std::size_t end = blocks.size();
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (returns(blocks[i])) ends.push_back(i);
  const auto before = [&](std::size_t block) -> const std::vector<std::size_t>& {
    return block == end ? ends : blocks[block].from;
  };
  std::vector<std::size_t> postorder;
  std::vector<bool> seen(blocks.size() + 1);
  std::vector<std::pair<std::size_t, std::size_t>> open{{end, 0}};
  seen[end] = true;
  while (!open.empty()) {
    auto& [block, next] = open.back();
    if (next == before(block).size()) {
      order_[block] = postorder.size();
      postorder.push_back(block);
      open.pop_back();
      continue;
    }
    const std::size_t to = before(block)[next++];
    if (seen[to]) continue;
    seen[to] = true;
    open.emplace_back(to, 0);
  }
  behind_[end] = end;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto at = postorder.rbegin(); at != postorder.rend(); ++at) {
      if (*at == end) continue;
      std::size_t found = returns(blocks[*at]) ? end : unknown;
      for (const std::size_t to : blocks[*at].to)
        if (behind_[to] != unknown) found = found == unknown ? to : common(found, to);
      if (found == behind_[*at]) continue;
      behind_[*at] = found;
      changed = true;
    }
  }
}

std::size_t Branches::common(std::size_t one, std::size_t other) const noexcept {
  while (one != other) {
    while (order_[one] < order_[other]) one = behind_[one];
    while (order_[other] < order_[one]) other = behind_[other];
  }
  return one;
}

std::optional<std::size_t> Branches::behind(std::size_t block) const noexcept {
  return behind_[block] >= blocks_.size() ? std::nullopt : std::optional(behind_[block]);
}

std::vector<std::size_t> Branches::decided_by(std::size_t block) const {
  const std::optional<std::size_t> end = behind(block);
  std::vector<bool> seen(blocks_.size());
  std::vector<std::size_t> open, decided;
  const auto come_to = [&](std::size_t to) {
    if (to == end || seen[to]) return;
    seen[to] = true;
    open.push_back(to);
  };
  for (const std::size_t to : blocks_[block].to) come_to(to);
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    decided.push_back(at);
    for (const std::size_t to : blocks_[at].to) come_to(to);
  }
  return decided;
}

} // namespace fletcher::tool::carried

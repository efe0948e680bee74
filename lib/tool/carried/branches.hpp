// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a branch decides: the blocks that are executed or not as it goes, up to the one that all ways from it come to
// (control dependence; Ferrante, Ottenstein, Warren 1987).
#pragma once

#include "lib/tool/carried/code_blocks.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace fletcher::tool::carried {

class Branches {
public:
  explicit Branches(const std::vector<Block>& blocks);

  /// The blocks that the branch at the end of `block` decides, itself where it is in a loop.
  std::vector<std::size_t> decided_by(std::size_t block) const;
  /// The first block that all ways from `block` come to; none where they only meet at the function's end.
  std::optional<std::size_t> behind(std::size_t block) const noexcept;

private:
  static constexpr std::size_t unknown = static_cast<std::size_t>(-1);
  std::size_t common(std::size_t one, std::size_t other) const noexcept;

  const std::vector<Block>& blocks_;
  std::vector<std::size_t> behind_; ///< immediate post-dominators; the function's end is one more block
  std::vector<std::size_t> order_;  ///< in a postorder from the end
};

} // namespace fletcher::tool::carried

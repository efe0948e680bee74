// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places of a function's stack that its instructions name, cut so that each access is one of them or several.
#pragma once

#include "lib/tool/carried/code_blocks.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace fletcher::tool::carried {

/// An access of an instruction to the stack, at a place that is known.
struct StackAccess {
  std::int32_t at = 0, bytes = 0;
  bool reads = false, writes = false;
};
/// At most two: what a push reads, and what it writes.
std::vector<StackAccess> stack_accesses(const Line& line);

/// What is known of the stack's memory once the values are known that are addresses there.
struct StackUse {
  std::set<std::pair<std::int32_t, std::int32_t>> shown; ///< begin, end: the program's own memory, whose accesses are
                                                         ///< instrumented, or which calls write
  std::set<std::int32_t> shown_bases;                    ///< the same of what is accessed by an index
  std::map<Address, std::int32_t> indexed;               ///< instructions that access the stack so: the base
  std::map<Address, std::int32_t> given;                 ///< calls, with the address that is their first argument
  std::map<Address, std::map<std::int32_t, std::int32_t>> bounds; ///< calls, with what they write: begin and end
  bool operator==(const StackUse&) const = default;
};

class StackPlaces {
public:
  StackPlaces(const std::vector<Block>& blocks, const StackUse& use);

  struct Place {
    std::int32_t at = 0, end = 0;
    bool loaded = false, shown = false;
    bool bounds = false; ///< of a unit
  };
  std::size_t size() const noexcept { return places_.size(); }
  const Place& operator[](std::size_t i) const noexcept { return places_[i]; }
  /// Those that overlap: from the first to before the second.
  std::pair<std::size_t, std::size_t> in(std::int64_t begin, std::int64_t end) const noexcept;

private:
  std::vector<Place> places_;
};

} // namespace fletcher::tool::carried

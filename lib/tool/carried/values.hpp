// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values that a function computes in registers, in the flags and in places of its stack that only its own
// instructions use: each has one definition, and where ways join, one for all that come there (static single
// assignment; Cytron et al.). Each place is followed in whole: nothing is known of numbers.
#pragma once

#include "lib/tool/carried/code_blocks.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace fletcher::tool::carried {

using ValueId = std::size_t;

struct Value {
  enum class Is : std::uint8_t {
    constant, ///< also an address, what a register has at the entry or after a call
    read,     ///< from the program's memory, or what a call returns; with the address
    unit,     ///< what a call returns that begins a unit of work
    computed,
    indexed, ///< what there is in one of several places; the index is an operand, too
    joined,  ///< one of those that the block's predecessors have, in their order
    aged,    ///< the one that there was when the unit of work began with which the block begins
  } is = Is::constant;
  std::size_t block = 0;
  std::vector<ValueId> of;
  bool from_stack = false;             ///< read from there
  std::optional<std::int32_t> frame;   ///< a constant address on the stack
  std::optional<std::uint64_t> number; ///< another constant
};

/// What somebody else learns of values.
struct Use {
  enum class As : std::uint8_t { address, stored, argument, decision } as;
  std::size_t block = 0, line = 0;
  std::vector<ValueId> values;
  std::vector<ValueId> where; ///< it is stored, unless `on_stack`: the address
  bool on_stack = false;
};

class Values {
public:
  explicit Values(const std::vector<Block>& blocks);

  std::size_t size() const noexcept { return values_.size(); }
  const Value& operator[](ValueId id) const noexcept { return values_[id]; }
  /// The one that it is always equal to.
  ValueId find(ValueId id) const noexcept;
  /// The same, before it became older.
  ValueId young(ValueId id) const noexcept;
  /// It is an address on the stack.
  bool on_stack(ValueId id) const noexcept { return on_stack_[find(id)]; }
  const std::vector<Use>& uses() const noexcept { return uses_; }
  /// Of a call of a function of which nothing is known, if it is always the same.
  std::optional<Address> first_argument_of(Address call) const noexcept;

private:
  friend class Definitions; ///< and who reads the code with it
  friend class ValuesOfCode;
  Values() = default;
  void make_equal(); ///< equal_values.cpp
  void find_stack(); ///< stack_addresses.cpp

  std::vector<Value> values_;
  std::vector<ValueId> equal_;
  std::vector<bool> on_stack_;
  std::vector<std::optional<std::int32_t>> base_; ///< of an address on the stack: where it begins
  std::vector<Use> uses_;
  std::map<Address, ValueId> given_; ///< calls, with their first argument
};

} // namespace fletcher::tool::carried

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The definitions of a function's places while its code is read: which value each has where, equal constants once, and
// one value for all that come to where ways join. Of what instructions do it knows nothing.
#pragma once

#include "lib/tool/carried/stack_places.hpp"
#include "lib/tool/carried/values.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fletcher::tool::carried {

class Definitions {
protected:
  Definitions(const std::vector<Block>& blocks, Values& values);

  // Places: registers by their numbers, then these.
  static constexpr std::size_t flags = 32, indexed = 33, first_on_stack = 34;

  ValueId add(Value::Is is, std::size_t block, std::vector<ValueId> of = {});
  ValueId computed(std::vector<ValueId> of, Value::Is is = Value::Is::computed);
  ValueId read_by(std::vector<ValueId> address) { return add(Value::Is::read, block_, std::move(address)); }
  ValueId number(std::uint64_t constant);
  ValueId frame(std::int32_t address);
  ValueId part(ValueId whole, std::size_t which);
  /// Of which these are all parts, in their order.
  std::optional<ValueId> whole_of(const std::vector<ValueId>& parts) const;

  ValueId get(std::size_t place) { return get(place, block_); }
  ValueId get(std::size_t place, std::size_t block);
  void set(std::size_t place, ValueId id) { here_[block_][place] = id; }
  std::vector<ValueId> get_all(Registers registers);
  void set_all(Registers registers, ValueId id);

  /// All blocks have been read: which values come to where ways join.
  void join();

  std::vector<Value>& all() noexcept { return values_.values_; }

  const std::vector<Block>& blocks_;
  Values& values_;
  std::vector<std::set<std::size_t>> bounds_of_; ///< of blocks: the places that their last calls write
  ValueId undefined_ = 0;
  std::size_t block_ = 0; ///< that is read

private:
  using Defined = std::unordered_map<std::size_t, ValueId>;
  ValueId at_begin(std::size_t place, std::size_t block);

  std::vector<Defined> here_, at_begin_;
  std::vector<std::pair<std::size_t, ValueId>> open_;
  std::map<std::uint64_t, ValueId> numbers_;
  std::map<std::int32_t, ValueId> frames_;
  std::map<std::pair<ValueId, std::size_t>, ValueId> parts_;
};

} // namespace fletcher::tool::carried

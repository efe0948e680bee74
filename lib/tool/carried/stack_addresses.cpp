// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values are addresses on the stack, and from where on: what such an address is computed of may be an index.
// Relies on equal_values.cpp, which comes first.
#include "lib/tool/carried/values.hpp"

#include <algorithm>

namespace fletcher::tool::carried {

using Is = Value::Is;

void Values::find_stack() {
  on_stack_.assign(values_.size(), true);
  base_.assign(values_.size(), std::nullopt);
  const auto is_on_stack = [this](const Value& value) {
    const auto of_stack = [this](ValueId id) { return on_stack_[find(id)]; };
    switch (value.is) {
    case Is::constant:
      return value.frame.has_value();
    case Is::computed:
      return std::ranges::any_of(value.of, of_stack);
    case Is::joined:
    case Is::aged:
      return std::ranges::all_of(value.of, of_stack);
    default:
      return false;
    }
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (ValueId id = 0; id < values_.size(); ++id) {
      if (on_stack_[id] && !is_on_stack(values_[id])) {
        on_stack_[id] = false;
        changed = true;
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (ValueId id = 0; id < values_.size(); ++id) {
      if (!on_stack_[id]) continue;
      std::optional<std::int32_t> base = values_[id].frame;
      for (const ValueId of : values_[id].of)
        if (const ValueId one = find(of); on_stack_[one] && base_[one])
          base = std::min(base.value_or(*base_[one]), *base_[one]);
      if (base == base_[id]) continue;
      base_[id] = base;
      changed = true;
    }
  }
}

} // namespace fletcher::tool::carried

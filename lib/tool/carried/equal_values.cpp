// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which joins are of one value only, be it older on one way than on the other: they are that value. Where loops have
// several entries, a set of joins may be of each other and of one further value (Braun et al. 2013, "Simple and
// Efficient Construction of Static Single Assignment Form", section 3.2).
#include "lib/tool/carried/values.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace fletcher::tool::carried {

using Is = Value::Is;

class EqualValues {
public:
  EqualValues(Values& values, std::vector<ValueId>& equal)
      : values_(values), equal_(equal), among_(values.size(), 0), number_(values.size(), 0), lowest_(values.size(), 0),
        open_(values.size(), false) {}

  /// Parts of these joins that lead to each other, what they lead to first (Tarjan).
  void find_among(const std::vector<ValueId>& joins) {
    const std::size_t here = ++sets_;
    for (const ValueId id : joins) {
      among_[id] = here;
      number_[id] = 0;
    }
    std::vector<std::vector<ValueId>> parts;
    for (const ValueId id : joins)
      if (number_[id] == 0) go_from(id, here, parts);
    for (const std::vector<ValueId>& part : parts) decide(part);
  }

private:
  struct Step {
    ValueId id;
    std::size_t next = 0;
  };

  void go_from(ValueId first, std::size_t here, std::vector<std::vector<ValueId>>& parts) {
    std::vector<Step> way{{first}};
    enter(first);
    while (!way.empty()) {
      Step& at = way.back();
      if (at.next < values_[at.id].of.size()) {
        const ValueId to = values_.young(values_[at.id].of[at.next++]);
        if (among_[to] != here) continue;
        if (number_[to] == 0) {
          enter(to);
          way.push_back({to});
        } else if (open_[to]) {
          lowest_[at.id] = std::min(lowest_[at.id], number_[to]);
        }
        continue;
      }
      const ValueId done = at.id;
      way.pop_back();
      if (!way.empty()) lowest_[way.back().id] = std::min(lowest_[way.back().id], lowest_[done]);
      if (lowest_[done] != number_[done]) continue;
      const auto begin = std::ranges::find(entered_, done);
      parts.emplace_back(begin, entered_.end());
      for (const ValueId id : parts.back()) open_[id] = false;
      entered_.erase(begin, entered_.end());
    }
  }
  void enter(ValueId id) {
    number_[id] = lowest_[id] = ++numbers_;
    open_[id] = true;
    entered_.push_back(id);
  }

  void decide(const std::vector<ValueId>& part) {
    const std::size_t here = ++sets_;
    for (const ValueId id : part) among_[id] = here;
    std::vector<ValueId> inner;
    std::optional<ValueId> only;
    bool several = false;
    for (const ValueId id : part) {
      bool is_inner = true;
      for (const ValueId of : values_[id].of) {
        const ValueId one = values_.find(of);
        if (among_[values_.young(one)] == here) continue;
        is_inner = false;
        several = several || (only && values_.young(*only) != values_.young(one));
        if (!only || values_[one].is == Is::aged) only = one;
      }
      if (is_inner) inner.push_back(id);
    }
    if (!only) return; // a loop that nothing comes to
    if (several) {
      if (!inner.empty()) find_among(inner);
      return;
    }
    for (const ValueId id : part) equal_[id] = *only;
  }

  Values& values_;
  std::vector<ValueId>& equal_;
  std::vector<std::size_t> among_; ///< the last set that a value was in
  std::vector<std::size_t> number_, lowest_;
  std::vector<bool> open_;
  std::vector<ValueId> entered_;
  std::size_t sets_ = 0, numbers_ = 0;
};

void Values::make_equal() {
  equal_.resize(values_.size());
  std::iota(equal_.begin(), equal_.end(), ValueId{0});
  std::vector<ValueId> joins;
  for (ValueId id = 0; id < values_.size(); ++id)
    if (values_[id].is == Is::joined) joins.push_back(id);
  EqualValues(*this, equal_).find_among(joins);
}

} // namespace fletcher::tool::carried

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The set rule of depend clauses: tasks of one set are unordered, a set waits for the set before it.
#include "checker/graph/sibling_dependences.hpp"

#include <algorithm>

namespace fletcher::graph {

SiblingDependences::SetType SiblingDependences::set_type(DependenceType type) noexcept {
  switch (type) {
  case DependenceType::in:
    return SetType::readers;
  case DependenceType::mutexinoutset:
    return SetType::mutexinoutset;
  case DependenceType::inoutset:
    return SetType::inoutset;
  case DependenceType::out:
  case DependenceType::inout:
    break;
  }
  return SetType::exclusive;
}

void SiblingDependences::wait_for(std::vector<Predecessor>& out, const std::vector<Vertex>& set, Vertex self,
                                  Address address) {
  for (const Vertex before : set) {
    if (before == self) continue;
    if (std::any_of(out.begin(), out.end(), [&](const Predecessor& p) { return p.end == before; })) continue;
    out.push_back({before, address});
  }
}

std::vector<SiblingDependences::Predecessor> SiblingDependences::add(Vertex end, std::span<const Dependence> list) {
  std::vector<Predecessor> result;
  // omp_all_memory first: what else the list names is contained in it.
  if (std::any_of(list.begin(), list.end(), [](const Dependence& d) { return d.all_memory; })) {
    wait_for(result, untouched_.latest, end, 0);
    for (const auto& [address, history] : histories_) wait_for(result, history.latest, end, 0);
    histories_.clear();
    untouched_ = History{{}, {end}, SetType::exclusive};
    return result;
  }
  for (const Dependence& item : list) {
    History& history = histories_.try_emplace(item.address, untouched_).first->second;
    const SetType type = set_type(item.type);
    if (type != history.type || type == SetType::exclusive) {
      history.previous = std::move(history.latest);
      history.latest.clear();
      history.type = type;
    }
    wait_for(result, history.previous, end, item.address);
    history.latest.push_back(end);
  }
  return result;
}

bool dependent(std::span<const Dependence> earlier, std::span<const Dependence> later) noexcept {
  for (const Dependence& a : earlier) {
    for (const Dependence& b : later) {
      if (a.all_memory || b.all_memory) return true;
      if (a.address != b.address) continue;
      const bool one_set =
          a.type == b.type && (a.type == DependenceType::in || a.type == DependenceType::mutexinoutset ||
                               a.type == DependenceType::inoutset);
      if (!one_set) return true;
    }
  }
  return false;
}

} // namespace fletcher::graph

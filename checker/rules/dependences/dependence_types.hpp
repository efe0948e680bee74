// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of depend clauses, as the rules about them need them: which pairs conflict, how one reads in a sentence,
// and which access it stands for.
#pragma once

#include "checker/access/cells/cell.hpp"
#include "checker/events.hpp"

#include <string>

namespace fletcher::rules {

/// Whether tasks that declare one storage so want to be ordered, or (mutexinoutset) kept apart.
constexpr bool conflict(DependenceType a, DependenceType b) noexcept {
  return a != b || (a != DependenceType::in && a != DependenceType::inoutset);
}

/// "depend(in)". The runtime does not tell out from inout.
inline std::string clause(DependenceType type) {
  constexpr const char* words[]{"in", "out/inout", "out/inout", "mutexinoutset", "inoutset"};
  return std::string("depend(") + words[static_cast<std::size_t>(type)] + ")";
}

constexpr access::Kind kind_of(DependenceType type) noexcept {
  return type == DependenceType::in ? access::Kind::read : access::Kind::write;
}

} // namespace fletcher::rules

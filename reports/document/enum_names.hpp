// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names that the checker's enumerators have in documents. They are part of the format: add, don't change.
#pragma once

#include "checker/finding.hpp"
#include "reports/document/document.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace fletcher::reports {

/// One name per enumerator, in the order of their values.
template <class Enum> struct EnumNames;

template <> struct EnumNames<Level> {
  static constexpr std::array<std::string_view, 3> names{"graph", "tsan", "native"};
};
template <> struct EnumNames<Rule> {
  static constexpr std::array<std::string_view, 12> names{"data-race",
                                                          "missing-taskwait",
                                                          "dependence-cycle",
                                                          "non-sibling-dependence",
                                                          "unmatched-dependence",
                                                          "lock-order-cycle",
                                                          "lock-misuse",
                                                          "barrier-mismatch",
                                                          "mapping-bug",
                                                          "mpi-threads",
                                                          "fork-after-region",
                                                          "not-needed"};
};
template <> struct EnumNames<Severity> {
  static constexpr std::array<std::string_view, 3> names{"error", "warning", "note"};
};
template <> struct EnumNames<Cause> {
  static constexpr std::array<std::string_view, 15> names{"unknown",
                                                          "missing-taskwait",
                                                          "missing-dependence",
                                                          "wrong-dependence-type",
                                                          "non-sibling-dependence",
                                                          "missing-barrier",
                                                          "missing-mutual-exclusion",
                                                          "different-locks",
                                                          "one-side-locked",
                                                          "missing-private-or-reduction",
                                                          "not-atomic",
                                                          "task-outlives-frame",
                                                          "simd-lanes",
                                                          "pending-operation",
                                                          "descendant-outlives-frame"};
};
template <> struct EnumNames<AccessType> {
  static constexpr std::array<std::string_view, 5> names{"read", "write", "atomic-read", "atomic-write", "free"};
};
template <> struct EnumNames<ObjectKind> {
  static constexpr std::array<std::string_view, 5> names{"unknown", "global", "stack", "heap", "thread-local"};
};
template <> struct EnumNames<MutexKind> {
  static constexpr std::array<std::string_view, 7> names{"lock",    "nest-lock", "critical",     "atomic",
                                                         "ordered", "mutex",     "mutexinoutset"};
};
template <> struct EnumNames<TaskKind> {
  static constexpr std::array<std::string_view, 6> names{"initial", "implicit", "explicit",
                                                         "target",  "foreign",  "operation"};
};
template <> struct EnumNames<DependenceType> {
  static constexpr std::array<std::string_view, 5> names{"in", "out", "inout", "mutexinoutset", "inoutset"};
};

template <class Enum> constexpr std::string_view name_of(Enum value) noexcept {
  const auto index = static_cast<std::size_t>(value);
  return index < EnumNames<Enum>::names.size() ? EnumNames<Enum>::names[index] : std::string_view("?");
}

template <class Enum> constexpr std::optional<Enum> value_of(std::string_view name) noexcept {
  const auto& names = EnumNames<Enum>::names;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<Enum>(i);
  return std::nullopt;
}

} // namespace fletcher::reports

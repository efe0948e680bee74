// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/effects/forms.hpp"

#include <algorithm>
#include <array>

namespace fletcher::effects {

namespace {

struct Affixes {
  std::string_view before, after;
  Form form;
};

// The longer ones first, of those that may begin or end alike.
constexpr std::array<Affixes, 11> affixes{{
    {"cblas_", "64_", {Convention::cblas, false, true}},
    {"cblas_", "_64", {Convention::cblas, false, true}},
    {"cblas_", "", {Convention::cblas, false, false}},
    {"LAPACKE_", "_work_64", {Convention::lapacke, true, true}},
    {"LAPACKE_", "_64", {Convention::lapacke, false, true}},
    {"LAPACKE_", "_work", {Convention::lapacke, true, false}},
    {"LAPACKE_", "", {Convention::lapacke, false, false}},
    {"", "_64_", {Convention::fortran, false, true}},
    {"", "64_", {Convention::fortran, false, true}},
    {"", "_", {Convention::fortran, false, false}},
    {"", "", {Convention::c, false, false}},
}};

const Function* by_name(const Table& table, std::string_view name) noexcept {
  const auto at = std::ranges::lower_bound(table.functions, name, {}, &Function::name);
  return at != table.functions.end() && at->name == name ? &*at : nullptr;
}

} // namespace

std::optional<Known> find(const Table& table, std::string_view symbol) noexcept {
  for (const Affixes& one : affixes) {
    if (symbol.size() <= one.before.size() + one.after.size() || !symbol.starts_with(one.before) ||
        !symbol.ends_with(one.after))
      continue;
    const std::string_view name =
        symbol.substr(one.before.size(), symbol.size() - one.before.size() - one.after.size());
    const Function* const function = by_name(table, name);
    if (function != nullptr && function->has(one.form.convention)) return Known{&table, function, one.form};
  }
  return std::nullopt;
}

} // namespace fletcher::effects

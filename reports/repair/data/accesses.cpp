// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/data/accesses.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>

namespace fletcher::reports {

Accesses::Accesses(const Group& group, Codes& files)
    : leader(*group.front()), codes(files), code(files.of(leader.place.file)), sites(sites_of(group)),
      name(leader.variable) {}

bool Accesses::of_threads() const {
  return std::ranges::all_of(sites, [](const Site& site) { return site.task == TaskKind::implicit; });
}

bool Accesses::some_atomic() const { return std::ranges::any_of(sites, is_atomic); }

std::string Accesses::first_target() const {
  const auto step = step_at(code, sites.front().place);
  return step ? base_of(step->form.target) : std::string();
}

bool Accesses::is_known_otherwise() const {
  return !is_identifier(name) || std::ranges::none_of(sites, [&](const Site& site) {
    const auto function = code.function_around(site.place.line);
    return !function || !code.mentions(name, *function).empty();
  });
}

std::optional<DirectiveText> Accesses::construct() const {
  std::optional<DirectiveText> out;
  for (const Site& site : sites) {
    if (DirectiveText::at(code, site.place.line)) continue; // of the loop itself
    const auto around = DirectiveText::around(code, site.place.line);
    if (around.empty() || (out && out->first_line() != around.front().first_line())) return std::nullopt;
    out = around.front();
  }
  return out;
}

bool is_atomic(const Site& site) {
  return site.type == AccessType::atomic_read || site.type == AccessType::atomic_write ||
         std::ranges::any_of(site.locks, [](const auto& lock) { return lock.kind == MutexKind::atomic; });
}

} // namespace fletcher::reports

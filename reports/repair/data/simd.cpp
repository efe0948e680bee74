// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations that run side by side in the lanes of a vector and need each other's results: a sum becomes a reduction,
// the distance that they keep becomes the longest vector, and where an iteration needs the one before it, simd goes.
#include "reports/repair/repair.hpp"
#include "reports/repair/source/directives/directive_text.hpp"

#include <algorithm>
#include <array>

namespace fletcher::reports {
namespace {

std::optional<DirectiveText> simd_around(const Code& code, std::uint32_t line) {
  for (const DirectiveText& one : DirectiveText::around(code, line))
    if (one.is("simd")) return one;
  return std::nullopt;
}

} // namespace

std::optional<Repair> repair_simd(const Group& group, Codes& codes) {
  if (group.front()->whole_variable) return repair_exclusion(group, codes);
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  std::optional<DirectiveText> directive;
  for (const Site& site : sites) {
    auto own = simd_around(code, site.place.line);
    if (!own || (directive && directive->first_line() != own->first_line())) return std::nullopt;
    directive = std::move(own);
  }
  // What else the loop says of its vectors may rest on there being any.
  constexpr std::array<std::string_view, 5> of_vectors{"safelen", "simdlen", "order", "linear", "nontemporal"};
  if (std::ranges::any_of(of_vectors, [&](std::string_view one) { return directive->clause(one) != nullptr; }))
    return std::nullopt;
  std::uint64_t distance = group.front()->lane_distance;
  for (const Diagnostic* one : group) distance = std::min(distance, one->lane_distance);
  if (distance == 0) return std::nullopt;
  if (distance > 1) {
    const std::string clause = "safelen(" + std::to_string(distance) + ")";
    const auto edit = directive->with(code, clause);
    if (!edit) return std::nullopt;
    return Repair{"add '" + clause +
                      "' to the construct here: iterations that need each other are then never in one vector",
                  {*edit}};
  }
  const auto edit = directive->without_construct(code, "simd");
  if (!edit) return std::nullopt;
  return Repair{"remove simd here: each iteration needs the previous one", {*edit}};
}

} // namespace fletcher::reports

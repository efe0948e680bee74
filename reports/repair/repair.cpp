// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kind of repair a cause needs, and what all kinds need to know of a place and a variable.
#include "reports/repair/repair.hpp"

#include "reports/explanation/explain.hpp"
#include "reports/repair/data/first_use.hpp"
#include "reports/repair/data/handing_over.hpp"
#include "reports/repair/data/loop_order.hpp"
#include "reports/repair/data/own_local.hpp"
#include "reports/repair/data/own_workspace.hpp"
#include "reports/repair/source/directives/directive_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace fletcher::reports {

const Code& Codes::of(const std::string& file) { return files_.try_emplace(file, file, sources_).first->second; }

Edit inserted_before(const Code& code, std::uint32_t before, const std::string& text, std::uint32_t indented_as) {
  const std::string_view own = code.original(indented_as);
  const bool anywhere = code.form() != SourceForm::fixed_fortran || text.find("omp") == std::string::npos;
  const std::size_t indent = anywhere ? std::min(own.find_first_not_of(" \t"), own.size()) : 0;
  return {{code.file(), before, 1}, std::string(own.substr(0, indent)) + text, false};
}

bool begins_a_statement(const Code& code, std::uint32_t line) {
  const std::string_view own = trimmed(code.line(line));
  const bool is_directive = !code.directive_line(line).empty();
  if ((!is_directive && own.empty()) || code.function_of_one_line(line)) return false;
  if (!is_directive && std::string_view("+-*/%&|^<>=?:.,)]").find(own.front()) != std::string_view::npos)
    if (!own.starts_with("++") && !own.starts_with("--") && !own.starts_with('*')) return false;
  for (std::uint32_t l = line - 1; l > 0; --l) {
    if (!code.directive_line(l).empty()) return true;
    const std::string_view above = trimmed(code.line(l));
    if (above.empty()) continue;
    if (!code.is_c()) return !above.ends_with('&');
    if (own.starts_with('*') && above.ends_with(')')) return false; // may be a factor
    return std::string_view(";{})").find(above.back()) != std::string_view::npos || above.ends_with("else") ||
           above == "do";
  }
  return true;
}

std::vector<Site> sites_of(const Group& group) {
  std::vector<Site> out;
  for (const Diagnostic* one : group) {
    if (one->rule != Rule::data_race || one->sites.size() != 2) return {};
    out.insert(out.end(), one->sites.begin(), one->sites.end());
  }
  const bool scattered = std::ranges::any_of(
      out, [&](const Site& site) { return !site.place.known() || site.place.file != out.front().place.file; });
  return scattered ? std::vector<Site>() : out;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> lines_in_one_function(const Diagnostic& race, const Code& code) {
  const auto in_order = [](std::uint32_t a, std::uint32_t b) { return std::pair(std::min(a, b), std::max(a, b)); };
  const auto other = std::ranges::find(race.notes, Note::Kind::other_access, &Note::kind);
  if (other != race.notes.end())
    for (const Frame& here : race.stack)
      for (const Frame& there : other->stack) {
        if (here.place.file != code.file() || there.place.file != code.file()) continue;
        const auto function = code.function_around(here.place.line);
        if (function && function->contains(there.place.line)) return in_order(here.place.line, there.place.line);
      }
  if (race.sites.size() != 2 || race.sites[1].place.file != code.file()) return std::nullopt;
  return in_order(race.sites[0].place.line, race.sites[1].place.line);
}

bool is_identifier(const std::string& name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::ranges::all_of(name, is_word);
}

bool is_local_to(const Code& code, const Diagnostic& diagnostic, std::uint32_t line) {
  const auto function = code.function_around(line);
  if (!function) return false;
  if (!code.is_c()) {
    for (std::uint32_t l = function->begin.line; l < line; ++l)
      if (code.line(l).find("::") != std::string_view::npos && mentions(code.line(l), diagnostic.variable) &&
          !mentions(code.line(l), "save"))
        return true;
    return false;
  }
  if (!diagnostic.declared.known() || diagnostic.declared.file != code.file() || diagnostic.declared.line > line)
    return false;
  if (diagnostic.declared.line > function->begin.line) return true;
  // A parameter stands in the head, behind which no declaration ends.
  const std::string head = code.text({{diagnostic.declared.line, 0}, function->begin});
  return head.find_first_of(";}") == std::string::npos && head.find('(') != std::string::npos;
}

bool is_number(const Diagnostic& diagnostic, Codes& codes, std::uint32_t used_at) {
  const Code& here = codes.of(diagnostic.place.file);
  if (!here.is_c()) {
    const auto unit = here.function_around(used_at);
    constexpr std::array<std::string_view, 3> types{"integer", "real", "double"};
    for (std::uint32_t l = unit ? unit->begin.line : 1; l < used_at; ++l) {
      const std::string_view line = trimmed(here.line(l));
      if (std::ranges::find(types, first_word(line)) == types.end() || !mentions(line, diagnostic.variable)) continue;
      const auto at = here.mentions(diagnostic.variable, {{l, 0}, {l + 1, 0}});
      if (at.empty()) return false;
      const std::string_view behind = trimmed(here.line(l).substr(at.front().column + diagnostic.variable.size()));
      return !behind.starts_with('(') && line.find("dimension") == std::string_view::npos;
    }
    return false;
  }
  if (!diagnostic.declared.known()) return false;
  const Code& code = codes.of(diagnostic.declared.file);
  const std::uint32_t line = diagnostic.declared.line;
  const auto at = code.mentions(diagnostic.variable, {{line, 0}, {line + 1, 0}});
  if (at.empty()) return false;
  const std::string_view text = code.line(line);
  const std::string_view before = trimmed(text.substr(0, at.front().column)),
                         behind = trimmed(text.substr(at.front().column + diagnostic.variable.size()));
  if (before.ends_with('*') || before.ends_with('&') || behind.starts_with('[') ||
      before.find('<') != std::string_view::npos || mentions(before, "struct"))
    return false;
  constexpr std::array<std::string_view, 22> types{
      "int",     "long",      "double",  "float",    "unsigned",  "short",    "char",     "size_t",
      "int8_t",  "int16_t",   "int32_t", "int64_t",  "uint8_t",   "uint16_t", "uint32_t", "uint64_t",
      "ssize_t", "ptrdiff_t", "signed",  "intptr_t", "uintptr_t", "bool"};
  return std::ranges::any_of(types, [&](std::string_view type) { return mentions(before, type); });
}

namespace {

/// An access is the one by which a reduction combines its copies: what it lacks is no exclusion, but a wait.
bool is_of_reduction(const Group& group, Codes& codes) {
  return std::ranges::all_of(sites_of(group), [&](const Site& site) { return site.task == TaskKind::implicit; }) &&
         std::ranges::any_of(sites_of(group), [&](const Site& site) {
           const auto directive = DirectiveText::at(codes.of(site.place.file), site.place.line);
           return directive && directive->clause("reduction") != nullptr && directive->clause("nowait") != nullptr;
         });
}

/// Of the rules that are not about accesses.
std::optional<Repair> repair_rule(const Group& group, Codes& codes) {
  switch (group.front()->rule) {
  case Rule::lock_misuse:
    return repair_lock_misuse(group, codes);
  case Rule::lock_order_cycle:
    return repair_locks(group, codes);
  case Rule::dependence_cycle:
    return repair_dependence_cycle(group, codes);
  case Rule::barrier_mismatch:
    return repair_barrier_mismatch(group, codes);
  case Rule::mapping_bug:
    return repair_mapping(group, codes);
  default:
    return std::nullopt;
  }
}

/// Who sees a flag goes on to data that was written before it was raised.
std::optional<Repair> of_flag(std::optional<Repair> found) {
  if (found)
    found->why = "one thread signals to the other by a flag that the data is ready, but setting and reading the flag "
                 "orders nothing: release or acquire is missing, or does not enclose the data";
  return found;
}

/// What nothing excludes, as far as the run shows, lacks a barrier by the text.
std::optional<Repair> of_barrier(std::optional<Repair> found) {
  if (found) {
    found->why = no_barrier_between;
    found->cause = Cause::missing_barrier;
  }
  return found;
}

/// What the cause is named after is left out, or wrong.
std::optional<Repair> repair_cause(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  if (leader.between_teams) {
    if (auto found = repair_exclusion(group, codes)) return found;
    return repair_league(group, codes);
  }
  if (leader.rule == Rule::data_race && is_of_reduction(group, codes)) return of_barrier(repair_barrier(group, codes));
  switch (leader.cause) {
  case Cause::missing_mutual_exclusion:
  case Cause::missing_private_or_reduction:
  case Cause::not_atomic:
    if (auto found = of_flag(repair_flag(group, codes))) return found;
    if (auto found = of_flag(repair_handed_turn(group, codes))) return found;
    if (auto found = own_workspace(group, codes)) return found;
    if (auto found = own_local(group, codes)) return found;
    if (auto found = repair_first_use(group, codes)) return found;
    if (auto found = repair_exclusion(group, codes)) return found;
    if (auto found = of_flag(repair_publication(group, codes))) return found;
    if (auto found = of_barrier(repair_barrier(group, codes))) return found;
    if (auto found = repair_doacross(group, codes)) return found;
    return in_order_of_loop(group, codes.of(leader.place.file));
  case Cause::one_side_locked:
  case Cause::different_locks:
    if (auto found = repair_first_use(group, codes)) return found;
    if (auto found = repair_locks(group, codes)) return found;
    if (group.size() > 1 && group.back()->cause == Cause::non_sibling_dependence)
      return repair_dependences(group, codes);
    return repair_by_atomic(group, codes);
  case Cause::missing_dependence:
    if (auto found = repair_early_fulfilment(group, codes)) return found;
    [[fallthrough]];
  case Cause::wrong_dependence_type:
  case Cause::non_sibling_dependence:
    if (auto found = repair_dependences(group, codes)) return found;
    return leader.edits.empty() && leader.whole_variable ? repair_by_atomic(group, codes) : std::nullopt;
  case Cause::missing_taskwait:
  case Cause::missing_barrier:
  case Cause::task_outlives_frame:
  case Cause::descendant_outlives_frame:
    return repair_waits(group, codes);
  case Cause::simd_lanes:
    return repair_simd(group, codes);
  case Cause::pending_operation:
    return repair_late_completion(group, codes);
  case Cause::unknown:
    return repair_rule(group, codes);
  default:
    return std::nullopt;
  }
}

std::optional<Repair> repair_or_move(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  if (auto found = repair_cause(group, codes)) return found;
  if (!leader.edits.empty()) return std::nullopt; // there is a change that is as good
  if (auto found = repair_by_move(group, codes)) return found;
  switch (leader.cause) {
  case Cause::missing_mutual_exclusion:
  case Cause::missing_dependence:
    return repair_by_wait(group, codes);
  default:
    return std::nullopt;
  }
}

} // namespace

std::optional<Repair> repair(const Group& group, Codes& codes) {
  if (!group.front()->place.known()) return std::nullopt;
  auto found = repair_or_move(group, codes);
  if (found && !found->why.empty()) return found;
  auto early = group.front()->rule == Rule::data_race ? explain_early_fulfilment(group, codes) : std::nullopt;
  if (!early || (!found && !group.front()->edits.empty())) return found;
  if (!found) return early;
  found->why = early->why;
  return found;
}

} // namespace fletcher::reports

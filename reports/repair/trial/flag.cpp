// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a flag hands over what one access did to the other one: by atomic constructs that release and acquire.
#include "reports/repair/source/directives/task_constructs.hpp"
#include "reports/repair/trial/trial.hpp"

#include <algorithm>
#include <initializer_list>

namespace fletcher::reports {
namespace {

bool share_a_name(std::string_view a, std::string_view b) {
  const auto names = names_in(a);
  return std::ranges::any_of(names_in(b), [&](const std::string& name) { return names.contains(name); });
}

bool has_one_of(const DirectiveText& directive, std::initializer_list<std::string_view> clauses) {
  return std::ranges::any_of(clauses, [&](std::string_view one) { return directive.clause(one) != nullptr; });
}

/// The text of an atomic construct that releases or acquires, with the names in it.
std::vector<Construct> atomics_between(std::uint32_t from, std::uint32_t to, const Change& change,
                                       std::initializer_list<std::string_view> clauses) {
  std::vector<Construct> out;
  const auto add = [&](const Construct& one) {
    if (one.directive.is("atomic") && has_one_of(one.directive, clauses)) out.push_back(one);
  };
  for (std::uint32_t line = from; line < to; ++line)
    if (!change.code().directive_line(line).empty())
      if (const auto one = change.construct_at(line)) add(*one);
  for (const Construct& one : change.new_constructs())
    if (from <= one.line && one.line <= to) add(one);
  return out;
}

} // namespace

bool publishes(const TrialSide& first, const TrialSide& then, const Change& change) {
  const Code& code = change.code();
  for (const SourcePlace& one : first.at.front())
    for (const SourcePlace& other : then.at.front()) {
      if (one.file != code.file() || other.file != code.file()) continue;
      const auto released = code.function_around(one.line), acquired = code.function_around(other.line);
      if (!released || !acquired) continue;
      for (const Construct& set :
           atomics_between(one.line, released->end.line, change, {"release", "acq_rel", "seq_cst"}))
        for (const Construct& seen :
             atomics_between(acquired->begin.line, other.line, change, {"acquire", "acq_rel", "seq_cst"}))
          if (share_a_name(code.text(set.body), code.text(seen.body)) && (set.is_new || seen.is_new)) return true;
    }
  return false;
}

} // namespace fletcher::reports

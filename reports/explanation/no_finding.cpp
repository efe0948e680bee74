// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/explanation/no_finding.hpp"

#include "reports/explanation/explain.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace fletcher::reports {
namespace {

/// A construct that the compiler inlined or cloned has several calls, but one line.
bool lines_differ(const Finding& finding, const SymbolTable& symbols) {
  std::vector<SourcePlace> places;
  for (const Step& step : finding.steps)
    if (places.size() < 2)
      places.push_back(step.stack.empty() ? SourcePlace() : place_of(symbols.frames(step.stack.front())));
  return places.size() == 2 && places[0].known() && places[1].known() &&
         (places[0].line != places[1].line || places[0].file != places[1].file);
}

/// A read that only the compiler made, ahead of a branch (needed_values.hpp). Where no code has lines, it may be one if
/// the same function writes what it reads: LLVM makes such reads for the sake of a write.
bool is_read_by_compiler(const Finding& finding, const SymbolTable& symbols) {
  if (!finding.reads_may_be_made || finding.accesses.size() != 2) return false;
  const std::size_t k = finding.accesses[0].type == AccessType::read ? 0 : 1;
  const AccessDescription &read = finding.accesses[k], &write = finding.accesses[1 - k];
  if (read.stack.empty()) return false;
  const Frame by = symbols.frames(read.stack.front()).front();
  if (by.place.known()) return !by.own_line;
  return !write.stack.empty() && !by.compiler_name.empty() &&
         symbols.frames(write.stack.front()).front().compiler_name == by.compiler_name;
}

/// Inlined into it, or called by it, too.
bool is_made_in(const Stack& stack, std::string_view mark, const SymbolTable& symbols) {
  return std::ranges::any_of(
      symbols.shown(stack), [mark](const Frame& frame) { return frame.compiler_name.find(mark) != std::string::npos; });
}

/// A copy of a reduction is made of an original (`omp_orig`) that another thread combines its own copy with already.
/// That is the compiler's to keep apart, and clang does not.
bool is_copy_of_combined(const Finding& finding, const SymbolTable& symbols) {
  if (finding.rule != Rule::data_race || finding.accesses.size() != 2) return false;
  const std::size_t k = finding.accesses[0].type == AccessType::read ? 0 : 1;
  return is_made_in(finding.accesses[k].stack, ".omp_initializer.", symbols) &&
         is_made_in(finding.accesses[1 - k].stack, ".omp_combiner.", symbols);
}

} // namespace

bool is_none(const Finding& finding, const SymbolTable& symbols) {
  return (finding.if_lines_differ && !lines_differ(finding, symbols)) || is_read_by_compiler(finding, symbols) ||
         is_copy_of_combined(finding, symbols);
}

} // namespace fletcher::reports

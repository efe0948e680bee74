// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/fortran_blocks.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace fletcher::reports {
namespace {

enum class Effect { none, opens_loop, opens_branch, next_branch, closes, unclear };

/// `statement` has no blanks; the lines that continue it belong to it.
Effect effect_of(std::string_view statement) {
  if (const auto colon = statement.find(':'); // a name in front
      colon != std::string_view::npos && std::ranges::all_of(statement.substr(0, colon), is_word) &&
      !statement.substr(colon).starts_with("::"))
    statement.remove_prefix(colon + 1);
  const auto begins = [&](std::string_view word) { return statement.starts_with(word); };
  constexpr std::array<std::string_view, 5> ends{"enddo", "endif", "endselect", "endwhere", "endforall"};
  if (std::ranges::any_of(ends, begins)) return Effect::closes;
  if (begins("else") || begins("case(") || statement == "casedefault") return Effect::next_branch;
  const bool is_assignment =
      statement.find('=') != std::string_view::npos && statement.find(',') == std::string_view::npos;
  if (statement == "do" || begins("dowhile(") || begins("doconcurrent(")) return Effect::opens_loop;
  if (begins("do") && statement.size() > 2 && !is_assignment)
    return std::isdigit(static_cast<unsigned char>(statement[2])) != 0 ? Effect::unclear : Effect::opens_loop;
  if ((begins("if(") && statement.ends_with(")then")) || begins("selectcase(") || begins("selecttype("))
    return Effect::opens_branch;
  if ((begins("where(") || begins("forall(")) && statement.ends_with(')') &&
      statement.find(")=") == std::string_view::npos)
    return Effect::opens_branch;
  return Effect::none;
}

} // namespace

std::optional<std::vector<FortranBlock>> fortran_blocks_around(const Code& code, std::uint32_t line, const Extent& in) {
  std::vector<FortranBlock> open, out;
  std::string statement;
  for (std::uint32_t l = in.begin.line; l <= std::min(in.end.line, code.lines()); ++l) {
    std::string text = without_blanks(code.line(l));
    if (text.starts_with('&')) text.erase(0, 1);
    const bool goes_on = text.ends_with('&');
    if (goes_on) text.pop_back();
    statement += text;
    if (goes_on || statement.empty()) continue;
    const Effect effect = effect_of(statement);
    statement.clear();
    if (effect == Effect::unclear) return std::nullopt;
    if (effect == Effect::next_branch || effect == Effect::closes) {
      if (open.empty()) return std::nullopt;
      open.back().last = l - 1;
      if (open.back().contains(line)) out.push_back(open.back());
      if (effect == Effect::closes)
        open.pop_back();
      else
        open.back() = {l + 1, 0, false};
    }
    if (effect == Effect::opens_loop || effect == Effect::opens_branch)
      open.push_back({l + 1, 0, effect == Effect::opens_loop});
  }
  if (!open.empty()) return std::nullopt;
  return out;
}

} // namespace fletcher::reports

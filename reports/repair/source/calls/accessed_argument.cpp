// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/calls/accessed_argument.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/source/calls/calls.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>

namespace fletcher::reports {
namespace {

/// What the statement sets, or what stands where it reads.
std::string accessed_name(const Site& site, const Code& code) {
  if (is_write(site.type)) {
    const auto statement = code.statement_at(site.place);
    const auto form = statement ? statement_form(code.text(*statement)) : std::nullopt;
    return form ? base_of(form->target) : std::string();
  }
  const std::string_view line = code.line(site.place.line);
  const std::size_t column = site.place.column;
  if (column == 0 || column > line.size() || (column > 1 && is_word(line[column - 2]))) return {};
  return std::string(first_word(line.substr(column - 1)));
}

} // namespace

std::string accessed_argument(const std::vector<Frame>& stack, const Site& site, const Code& code) {
  if (!code.is_c() || stack.size() < 2 || stack[0].place.file != code.file() || stack[1].place.file != code.file())
    return {};
  const SourcePlace &accessed = stack[0].place, &called = stack[1].place;
  const auto body = code.function_around(accessed.line);
  if (!body || body->contains(called.line)) return {};
  const std::string name = accessed_name(site, code);
  const std::string_view function = plain_name(stack[0].function.name);
  const std::vector<std::string> names = parameters_of(code, *body, function);
  const std::vector<Argument> given = arguments_of(code.line(called.line), function);
  const auto at = std::ranges::find(names, name);
  if (name.empty() || at == names.end() || given.size() != names.size()) return {};
  return without_blanks(given[static_cast<std::size_t>(at - names.begin())].text);
}

} // namespace fletcher::reports

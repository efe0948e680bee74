// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/calls/accessed_argument.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/source/calls/calls.hpp"
#include "reports/repair/source/directives/task_constructs.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace fletcher::reports {
namespace {

/// Fortran, whose places have no columns: the parameter that the value names besides what is set, if it is one.
std::string only_other(const std::string& value, const std::string& set,
                       const std::map<std::string, std::string>& parameters) {
  std::string out;
  for (const auto& [name, argument] : parameters) {
    if (name == set || !mentions(value, name)) continue;
    if (!out.empty()) return {};
    out = name;
  }
  return out;
}

/// What the statement sets, or what stands where it reads.
std::string accessed_name(const Site& site, const Code& code, const std::map<std::string, std::string>& parameters) {
  const auto statement = code.statement_at(site.place);
  const auto form = statement ? statement_form(code.text(*statement)) : std::nullopt;
  if (is_write(site.type)) return form ? base_of(form->target) : std::string();
  if (!code.is_c()) return form ? only_other(form->value, base_of(form->target), parameters) : std::string();
  const std::string_view line = code.line(site.place.line);
  const std::size_t column = site.place.column;
  // What `x += e` reads of x stands at its operator.
  if (form && !form->operation.empty() && column != 0 &&
      line.substr(std::min(column - 1, line.size())).starts_with(form->operation + "="))
    return base_of(form->target);
  if (column == 0 || column > line.size() || (column > 1 && is_word(line[column - 2]))) return {};
  return std::string(first_word(line.substr(column - 1)));
}

/// What the function's parameters are where it is called; nothing where the text of both is not clear.
std::optional<std::map<std::string, std::string>> given_to(const std::vector<Frame>& stack, const Code& code) {
  if (stack.size() < 2 || stack[0].place.file != code.file() || stack[1].place.file != code.file()) return std::nullopt;
  const SourcePlace &accessed = stack[0].place, &called = stack[1].place;
  const auto body = code.function_around(accessed.line);
  if (!body || body->contains(called.line)) return std::nullopt;
  const std::string_view function = plain_name(stack[0].function.name);
  const std::vector<std::string> names = parameters_of(code, *body, function);
  const std::vector<Argument> given = arguments_of(code.line(called.line), function);
  if (given.size() != names.size()) return std::nullopt;
  std::map<std::string, std::string> out;
  for (std::size_t i = 0; i < names.size(); ++i) out[names[i]] = given[i].text;
  return out;
}

/// `v[k - 1]` where the statement sets it, or where it stands.
std::string accessed_element_inside(const Site& site, const Code& code) {
  if (is_write(site.type)) {
    const auto statement = code.statement_at(site.place);
    const auto form = statement ? statement_form(code.text(*statement)) : std::nullopt;
    return form && form->target.ends_with(']') ? form->target : std::string();
  }
  const std::string name = accessed_name(site, code, {});
  return name.empty() ? std::string() : element_at(code, {site.place.line, site.place.column - 1}, name);
}

} // namespace

std::string accessed_argument(const std::vector<Frame>& stack, const Site& site, const Code& code) {
  const auto given = given_to(stack, code);
  const auto at = given ? given->find(accessed_name(site, code, *given)) : decltype(given->find(""))();
  if (!given || at == given->end()) return {};
  std::string out = without_blanks(at->second);
  if (!code.is_c()) // a section by its first element
    for (const std::string_view before : {"(:", ",:"})
      for (auto i = out.find(before); i != std::string::npos; i = out.find(before)) {
        if (i + 2 < out.size() && out[i + 2] != ',' && out[i + 2] != ')') return {};
        out[i + 1] = '1';
      }
  return out.find(':') == std::string::npos || code.is_c() ? out : std::string();
}

std::string accessed_element(const std::vector<Frame>& stack, const Site& site, const Code& code) {
  auto given = code.is_c() ? given_to(stack, code) : std::nullopt;
  const std::string element = given ? accessed_element_inside(site, code) : std::string();
  const std::string base = base_of(element);
  if (element.empty() || !element.starts_with(base) || !given->contains(base)) return {};
  const auto body = code.function_around(site.place.line);
  for (const std::string& name : names_in(element)) {
    const auto at = given->find(name);
    const bool is_changed = body && std::ranges::any_of(code.mentions(name, *body), [&](Position where) {
                              return name != base && is_changed_at(code, where, name);
                            });
    if (at == given->end() || is_changed) return {};
    const bool is_simple = std::ranges::all_of(at->second, is_word);
    if (name == base && !is_simple) return {}; // `a + 1`: a[k] is another element of a
    if (!is_simple) at->second = "(" + at->second + ")";
  }
  return with_names(element, *given);
}

} // namespace fletcher::reports

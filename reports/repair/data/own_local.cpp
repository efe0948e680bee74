// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/data/own_local.hpp"

#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/repair/source/lambda.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <array>
#include <regex>

namespace fletcher::reports {
namespace {

/// "double" of `double norm = 0, scratch;`.
std::string type_of_declaration(std::string_view line) {
  constexpr std::array<std::string_view, 9> words{"unsigned", "signed", "long",   "short", "int",
                                                  "char",     "float",  "double", "bool"};
  std::string out;
  for (std::string_view rest = trimmed(line);;) {
    const std::string_view word = first_word(rest);
    if (std::ranges::find(words, word) == words.end()) return out;
    out += (out.empty() ? "" : " ") + std::string(word);
    rest = trimmed(rest.substr(word.size()));
  }
}

} // namespace

std::optional<Repair> own_local(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  const std::string& name = leader.variable;
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty() || !is_identifier(name) || leader.declared.file != leader.place.file) return std::nullopt;
  const Code& code = codes.of(leader.place.file);
  const auto lambda = code.is_c() ? lambda_around(code, leader.place.line) : std::nullopt;
  const auto function = code.function_around(leader.place.line);
  if (!lambda || !function || !is_local_to(code, leader, lambda->begin.line) ||
      !is_number(leader, codes, leader.place.line))
    return std::nullopt;
  for (const Diagnostic* one : group)
    if (one->variable != name) return std::nullopt;
  for (const Site& site : sites)
    if (!site.locks.empty() || site.in_call || !lambda->contains(site.place.line) ||
        !DirectiveText::around(code, site.place.line).empty())
      return std::nullopt;
  const std::vector<Position> named = code.mentions(name, *function), inside = code.mentions(name, *lambda);
  const auto is_declaration = [&](Position at) { // or the capture
    return at.line == leader.declared.line || (at.line == lambda->begin.line && at < lambda->begin);
  };
  if (inside.empty() ||
      !std::ranges::all_of(named, [&](Position at) { return lambda->contains(at) || is_declaration(at); }))
    return std::nullopt;
  const std::vector<Extent> parts = code.parts_of(*lambda);
  const auto first = std::ranges::find_if(parts, [&](const Extent& part) { return part.contains(inside.front()); });
  if (first == parts.end() || first->begin != inside.front()) return std::nullopt;
  const auto form = statement_form(code.text(*first));
  const std::string type = type_of_declaration(code.line(leader.declared.line));
  if (!form || form->kind != StatementForm::Kind::write || !form->operation.empty() || form->target != name ||
      mentions(form->value, name) || type.empty())
    return std::nullopt;
  std::string text(code.original(first->begin.line));
  text.insert(first->begin.column, type + " ");
  return Repair{"declare '" + name + "' here: each call then has its own, which it sets before it reads it",
                {{{code.file(), first->begin.line, 1}, std::move(text), true}},
                "all threads use '" + name + "' at the same time, which the lambda captures by reference",
                Cause::missing_private_or_reduction};
}

} // namespace fletcher::reports

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/data/read_copy.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/data/critical_section.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace fletcher::reports {

namespace {

/// "unsigned long" of `static unsigned long best;`. Empty where more than a type stands there.
std::string type_declared(const Accesses& accesses) {
  const Code& code = accesses.codes.of(accesses.leader.declared.file);
  const std::uint32_t line = accesses.leader.declared.line;
  const auto at = code.mentions(accesses.name, {{line, 0}, {line + 1, 0}});
  if (at.empty()) return {};
  std::string_view left = trimmed(code.line(line).substr(0, at.front().column));
  std::string type;
  constexpr std::array<std::string_view, 3> of_storage{"static", "extern", "inline"};
  while (!left.empty()) {
    const std::string_view word = first_word(left);
    if (word.empty() || word == "volatile" || word == "const" || word == "_Atomic") return {};
    left = trimmed(left.substr(word.size()));
    if (std::ranges::find(of_storage, word) != of_storage.end()) continue;
    if (!type.empty()) type += ' ';
    type += word;
  }
  return type;
}

/// An `if` whose condition stands on the line and names the variable once; it begins there, and a declaration can come
/// before it.
bool is_condition(const Code& code, std::uint32_t line, const std::string& name) {
  const std::string_view text = trimmed(code.line(line)), above = trimmed(code.line(line - 1));
  if (first_word(text) != "if" || !begins_a_statement(code, line) || above.ends_with(':')) return false;
  const auto mentions = code.mentions(name, {{line, 0}, {line + 1, 0}});
  const auto statement = code.statement_from({line, 0});
  const auto behind = statement ? code.behind_head(*statement) : std::nullopt;
  return mentions.size() == 1 && behind && statement->begin.line == line && mentions.front() < behind->begin &&
         !is_changed_at(code, mentions.front(), name);
}

/// In the functions of both, the variable stands nowhere else.
bool is_used_elsewhere(const Accesses& accesses, const Extent& update, std::uint32_t condition) {
  for (const std::uint32_t line : {update.begin.line, condition}) {
    const auto function = accesses.code.function_around(line);
    if (!function) return true;
    for (const Position at : accesses.code.mentions(accesses.name, *function))
      if (!update.contains(at) && at.line != condition) return true;
  }
  return false;
}

} // namespace

std::optional<Repair> copy_for_condition(const Accesses& accesses) {
  const Code& code = accesses.code;
  const std::string &name = accesses.name, copy = name + "_now";
  if (!code.is_c() || !is_identifier(name) || !accesses.leader.whole_variable) return std::nullopt;
  std::optional<Step> update;
  std::vector<Site> updates;
  std::uint32_t condition = 0;
  for (const Site& site : accesses.sites) {
    if (site.in_call || !site.locks.empty()) return std::nullopt;
    const auto step = step_at(code, site.place);
    if (step && step->form.kind == StatementForm::Kind::update && step->form.target == name) {
      if (update && update->extent.begin != step->extent.begin) return std::nullopt;
      update = step;
      updates.push_back(site);
    } else if (is_write(site.type) || (condition != 0 && condition != site.place.line)) {
      return std::nullopt;
    } else {
      condition = site.place.line;
    }
  }
  if (!update || condition == 0 || !is_number(accesses.leader, accesses.codes, condition) ||
      !is_condition(code, condition, name) || is_used_elsewhere(accesses, update->extent, condition) ||
      !code.mentions(copy, code.whole()).empty())
    return std::nullopt;
  const std::string type = type_declared(accesses);
  if (type.empty()) return std::nullopt;

  const std::string critical = "critical (" + name + "_update)";
  const bool atomic = may_be_atomic(update->form);
  Repair out;
  if (atomic) {
    if (!add_construct(code, "atomic", update->extent, out.edits)) return std::nullopt;
  } else if (auto found = critical_extreme(updates, name, code)) {
    out.edits = std::move(found->edits);
  } else {
    return std::nullopt;
  }
  const std::string reads = directive(code.file(), atomic ? "atomic read" : critical);
  for (const std::string& text : {type + " " + copy + ";", reads, copy + " = " + name + ";"})
    out.edits.push_back(inserted_before(code, condition, text, condition));
  std::string line(code.original(condition));
  line.replace(code.mentions(name, {{condition, 0}, {condition + 1, 0}}).front().column, name.size(), copy);
  out.edits.push_back({{code.file(), condition, 1}, line, true});
  out.sentence = "put the update into '" + directive(code.file(), atomic ? "atomic" : critical) +
                 "', and let the condition at line " + std::to_string(condition) + " test a copy that is read in '" +
                 reads + "'";
  return out;
}

} // namespace fletcher::reports

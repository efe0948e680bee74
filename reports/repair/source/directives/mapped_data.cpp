// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/directives/mapped_data.hpp"

#include "checker/rules/mapping_words.hpp"
#include "reports/document/words.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <set>

namespace fletcher::reports {

const Note* MappedData::note(std::string_view message) const {
  const auto found = std::ranges::find(leader_.notes, message, &Note::message);
  return found == leader_.notes.end() ? nullptr : &*found;
}

std::string MappedData::name() const {
  std::set<std::string> mapped;
  if (is_identifier(leader_.variable) && is_declared_for_device()) mapped.insert(leader_.variable);
  for (std::uint32_t line = function_.begin.line; line <= function_.end.line; ++line) {
    const auto directive = DirectiveText::at(code_, line);
    if (!directive || !directive->is("target")) continue;
    for (const Clause& clause : directive->clauses()) {
      if (clause.name == "to" || clause.name == "from") mapped.insert(std::string(first_word(clause.arguments)));
      if (const auto map = read_map(clause))
        for (const std::string& item : map->items) mapped.insert(std::string(first_word(item)));
    }
  }
  std::erase_if(mapped, [&](const std::string& one) {
    return code_.mentions(one, {{line_, 0}, {line_ + 1, 0}}).empty() ||
           (is_identifier(leader_.variable) && one != leader_.variable);
  });
  const std::string_view line = code_.line(line_);
  const std::size_t column = leader_.place.column;
  if (column > 1 && column <= line.size() && !is_word(line[column - 2]))
    if (const std::string own(first_word(line.substr(column - 1))); mapped.contains(own)) return own;
  return mapped.size() == 1 ? *mapped.begin() : std::string();
}

bool MappedData::is_set(const Extent& in) const {
  return std::ranges::any_of(code_.mentions(name_, in), [&](Position at) {
    const std::string_view line = code_.line(at.line);
    const std::string_view before = trimmed(line.substr(0, at.column)),
                           behind = trimmed(line.substr(at.column + name_.size())),
                           function = first_word(trimmed(line));
    const bool argument = (before.ends_with('(') || before.ends_with(',')) &&
                          (behind.starts_with(',') || behind.starts_with(')')) && !before.ends_with("sizeof(") &&
                          function != "free" && function != "printf";
    const bool allocates =
        behind.starts_with('=') && (behind.find("alloc") != std::string_view::npos || mentions(behind, "new"));
    return argument || (!allocates && is_changed_at(code_, at, name_));
  });
}

bool MappedData::host_sets(const Extent& in) const {
  if (!is_set(in)) return false;
  // What target regions set is the device's.
  std::vector<Extent> device = target_bodies();
  Position begin = in.begin;
  for (const Extent& body : device) {
    if (body.begin < begin || in.end < body.begin) continue;
    if (is_set({begin, body.begin})) return true;
    begin = body.end;
  }
  return begin < in.end && is_set({begin, in.end});
}

bool MappedData::device_sets() const {
  return std::ranges::any_of(target_bodies(), [&](const Extent& body) { return is_set(body); });
}

std::vector<Extent> MappedData::target_bodies() const {
  std::vector<Extent> out;
  for (std::uint32_t line = function_.begin.line; line <= function_.end.line; ++line) {
    const auto directive = DirectiveText::at(code_, line);
    const bool executes = directive && directive->is("target") && directive->clause("data") == nullptr;
    const auto body = executes ? directive->body(code_) : std::nullopt;
    if (body) out.push_back(*body);
  }
  return out;
}

std::optional<DirectiveText> MappedData::target_around() const {
  for (const DirectiveText& one : DirectiveText::around(code_, line_))
    if (one.is("target") && one.clause("data") == nullptr) return one;
  return std::nullopt;
}

bool MappedData::is_around(const Mapping& one, std::uint32_t line) const {
  const auto body = one.directive.body(code_);
  return body && body->begin.line <= line && line <= body->end.line;
}

std::optional<Mapping> MappedData::mapping_elsewhere() const {
  const Note *const changed = note(rules::mapping_words::changed_by_device), *const unmapped = note(
                                                                                 rules::mapping_words::unmapped_here);
  if (changed == nullptr || unmapped == nullptr || changed->place.file != code_.file() ||
      unmapped->place.file != code_.file() || function_.contains(unmapped->place.line))
    return std::nullopt;
  auto directive = DirectiveText::at(code_, unmapped->place.line);
  const auto body = directive ? directive->body(code_) : std::nullopt;
  if (!body || !directive->is("target") || !body->contains(changed->place.line)) return std::nullopt;
  const auto statement = code_.statement_at(changed->place);
  const auto form = statement ? statement_form(code_.text(*statement)) : std::nullopt;
  if (!form) return std::nullopt;
  for (std::size_t i = 0; i < directive->clauses().size(); ++i) {
    auto map = read_map(directive->clauses()[i]);
    const std::string item = map ? map->item_of(base_of(form->target)) : std::string();
    if (!item.empty()) return Mapping{std::move(*directive), i, std::move(*map), item};
  }
  return std::nullopt;
}

bool MappedData::is_declared_for_device() const {
  if (leader_.declared.file != code_.file()) return false;
  for (std::uint32_t line = leader_.declared.line; line > 0; --line)
    if (const auto one = DirectiveText::at(code_, line); one && one->is("declare"))
      return one->is("target") && !one->is("end") && one->clauses().empty();
  return false;
}

} // namespace fletcher::reports

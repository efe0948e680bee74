// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data behind a flag that is no synchronisation: an ordinary variable, or an atomic object that is used in relaxed
// order.
#include "reports/document/words.hpp"
#include "reports/repair/data/critical_section.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <array>
#include <regex>

namespace fletcher::reports {
namespace {

constexpr std::uint32_t lines_looked_at = 12;

/// A number that stands there, or a word of the language for one.
bool is_constant(std::string_view value) {
  return value == "true" || value == "false" ||
         (!value.empty() && std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; }));
}

bool decides(std::string_view line, std::string_view name) {
  constexpr std::array<std::string_view, 3> words{"while", "if", "for"};
  return mentions(line, name) && std::ranges::any_of(words, [&](auto word) { return mentions(line, word); });
}

/// Where one thread sets a flag and another one reads it.
struct Flag {
  std::string name;
  std::uint32_t set = 0, read = 0;
  friend bool operator==(const Flag&, const Flag&) = default;
};

std::optional<StatementForm> form_at(const Code& code, std::uint32_t line) {
  const auto statement = code.statement_at({code.file(), line, 0});
  if (!statement || !is_alone(code, *statement)) return std::nullopt;
  auto form = statement_form(code.text(*statement));
  const bool writes = form && form->kind == StatementForm::Kind::write && form->operation.empty();
  return writes ? form : std::nullopt;
}

/// `flag = 1;`
std::optional<std::string> set_on(const Code& code, std::uint32_t line) {
  const auto form = form_at(code, line);
  return form && is_identifier(form->target) && is_constant(form->value) ? std::optional(form->target) : std::nullopt;
}

/// `seen = flag;`, where what was seen decides about the loop or the condition around it.
bool is_read_on(const Code& code, std::uint32_t line, const std::string& flag) {
  const auto form = form_at(code, line);
  if (!form || form->value != flag || !is_identifier(form->target)) return false;
  for (std::uint32_t near = line > 3 ? line - 3 : 1; near <= line + 3; ++near)
    if (decides(code.line(near), form->target)) return true;
  return false;
}

std::uint32_t next_line(const Code& code, std::uint32_t line) {
  do ++line;
  while (line <= code.lines() && trimmed(code.line(line)).empty() && code.directive_line(line).empty());
  return line;
}

/// The race is one of the flag itself, or of what was written right before it was set.
std::optional<Flag> flag_of(const Code& code, std::uint32_t written, std::uint32_t read) {
  if (const auto own = set_on(code, written); own && is_read_on(code, read, *own)) return Flag{*own, written, read};
  const std::uint32_t behind = next_line(code, written);
  const auto flag = set_on(code, behind);
  for (std::uint32_t line = read - 1; flag && line > 0 && line + lines_looked_at > read; --line)
    if (is_read_on(code, line, *flag)) return Flag{*flag, behind, line};
  return std::nullopt;
}

/// The line of each side, writer first; nothing where both write.
std::optional<std::pair<std::uint32_t, std::uint32_t>> written_and_read(const Site& a, const Site& b) {
  const bool first = is_write(a.type);
  if (first == is_write(b.type) || a.in_call || b.in_call) return std::nullopt;
  return first ? std::pair(a.place.line, b.place.line) : std::pair(b.place.line, a.place.line);
}

std::optional<Repair> atomic_flag(const std::vector<Site>& sites, const Code& code) {
  std::optional<Flag> flag;
  for (std::size_t i = 0; i < sites.size(); i += 2) {
    const auto lines = written_and_read(sites[i], sites[i + 1]);
    const auto own = lines ? flag_of(code, lines->first, lines->second) : std::nullopt;
    if (!own || (flag && *flag != *own)) return std::nullopt;
    flag = own;
  }
  if (!flag) return std::nullopt;
  return Repair{"set and read '" + flag->name +
                    "' by atomic operations: a thread that sees it then also sees what was written before",
                {inserted_before(code, flag->set, directive(code.file(), "atomic write release"), flag->set),
                 inserted_before(code, flag->read, directive(code.file(), "atomic read acquire"), flag->read)}};
}

/// An operation on an atomic object, and where its order stands in the line.
struct Operation {
  std::string object;
  std::size_t begin = 0, size = 0;
};

std::optional<Operation> operation_on(const Code& code, std::uint32_t line, bool stores) {
  static const std::regex store(R"((\w+)\s*\.\s*store\s*\([^,()]*,\s*([\w:]+)\s*\))"),
      store_of_c(R"(atomic_store_explicit\s*\(\s*&\s*(\w+)\s*,[^,()]*,\s*(\w+)\s*\))"),
      load(R"((\w+)\s*\.\s*load\s*\(\s*([\w:]+)\s*\))"),
      load_of_c(R"(atomic_load_explicit\s*\(\s*&\s*(\w+)\s*,\s*(\w+)\s*\))");
  const std::string text(code.line(line));
  std::smatch match;
  if (!std::regex_search(text, match, stores ? store : load) &&
      !std::regex_search(text, match, stores ? store_of_c : load_of_c))
    return std::nullopt;
  const std::string order = match[2].str();
  bool relaxed = order.ends_with("memory_order_relaxed");
  for (const Position at : relaxed ? std::vector<Position>() : code.mentions(order, code.whole())) {
    const std::string behind = without_blanks(code.line(at.line).substr(at.column + order.size()));
    relaxed =
        relaxed || behind.starts_with("=std::memory_order_relaxed") || behind.starts_with("=memory_order_relaxed");
  }
  if (!relaxed) return std::nullopt;
  return Operation{match[1].str(), static_cast<std::size_t>(match.position(2)), order.size()};
}

/// Stored in relaxed order right behind the data, and loaded so above its use.
std::optional<Repair> ordered_object(const std::vector<Site>& sites, const Code& code) {
  std::vector<Edit> edits;
  const auto lines = sites.size() == 2 ? written_and_read(sites[0], sites[1]) : std::nullopt;
  if (!lines) return std::nullopt;
  const std::uint32_t set = next_line(code, lines->first);
  const auto stored = operation_on(code, set, true);
  for (std::uint32_t line = lines->second - 1; stored && line > 0 && line + lines_looked_at > lines->second; --line) {
    const auto loaded = operation_on(code, line, false);
    if (!loaded || loaded->object != stored->object || !decides(code.line(line), loaded->object)) continue;
    const auto with = [&](std::uint32_t where, const Operation& one, std::string_view order) {
      const bool is_cpp = without_blanks(code.line(where)).find("_explicit(") == std::string::npos;
      std::string text(code.original(where));
      text.replace(one.begin, one.size, (is_cpp ? "std::memory_order_" : "memory_order_") + std::string(order));
      return Edit{{code.file(), where, 1}, std::move(text), true};
    };
    return Repair{"use release order for this store, and acquire order where '" + stored->object + "' is loaded",
                  {with(set, *stored, "release"), with(line, *loaded, "acquire")}};
  }
  return std::nullopt;
}

} // namespace

std::optional<Repair> repair_flag(const Group& group, Codes& codes) {
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  if (!code.is_c()) return std::nullopt;
  if (auto found = ordered_object(sites, code)) return found;
  const bool of_threads = std::ranges::all_of(
      sites, [](const Site& site) { return site.task == TaskKind::implicit && site.locks.empty(); });
  return of_threads ? atomic_flag(sites, code) : std::nullopt;
}

} // namespace fletcher::reports

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/data/own_workspace.hpp"

#include "reports/repair/source/directives/directive_text.hpp"

#include <algorithm>
#include <array>

namespace fletcher::reports {
namespace {

/// "k" of `work(k)` and `work[k]`; empty where no index follows, nothing where it is more than a name or a number.
std::optional<std::string> index_behind(const Code& code, Position at, std::string_view name) {
  const std::string_view behind = trimmed(code.line(at.line).substr(at.column + name.size()));
  if (!behind.starts_with('[') && !behind.starts_with('(')) return std::string();
  const auto end = behind.find_first_of("])");
  const std::string_view index = trimmed(behind.substr(1, end == std::string_view::npos ? end : end - 1));
  if (index.empty() || !std::ranges::all_of(index, is_word)) return std::nullopt;
  const std::string_view rest = trimmed(behind.substr(end + 1));
  return rest.starts_with('[') ? std::nullopt : std::optional(std::string(index));
}

/// The place is set there, by a value that does not come from the variable.
bool is_set_there(const Code& code, Position at, const std::string& name) {
  const std::string_view line = code.line(at.line);
  std::string_view behind = trimmed(line.substr(at.column + name.size()));
  if (behind.starts_with('[') || behind.starts_with('(')) {
    const auto end = behind.find_first_of("])");
    behind = end == std::string_view::npos ? std::string_view() : trimmed(behind.substr(end + 1));
  }
  return trimmed(line.substr(0, at.column)).empty() && behind.starts_with('=') && !behind.starts_with("==") &&
         !mentions(behind, name);
}

/// No condition decides whether the line is executed, as far as blocks show.
bool is_unconditional(const Code& code, const Extent& function, std::uint32_t line) {
  if (!code.is_c()) {
    int depth = 0;
    for (std::uint32_t l = function.begin.line; l < line; ++l) {
      const std::string text = without_blanks(code.line(l));
      depth += (text.starts_with("if(") && text.ends_with("then")) || text.starts_with("select") ? 1 : 0;
      depth -= text.starts_with("endif") || text.starts_with("endselect") ? 1 : 0;
    }
    return depth == 0 && !without_blanks(code.line(line)).starts_with("if(");
  }
  constexpr std::array<std::string_view, 4> words{"if", "else", "switch", "while"};
  const auto begins_so = [&](std::uint32_t l) {
    const std::string_view text = trimmed(code.line(l));
    const std::string_view head = text.starts_with('}') ? trimmed(text.substr(1)) : text;
    return std::ranges::find(words, first_word(head)) != words.end();
  };
  for (const Extent& block : code.blocks_around(line))
    if (function.begin < block.begin && (begins_so(block.begin.line) || begins_so(block.begin.line - 1))) return false;
  return !begins_so(line) && !begins_so(line - 1);
}

/// The declaration is one of a file or module, on one line, without a value.
bool is_global(const Code& code, std::uint32_t line, const std::string& name) {
  const std::string_view text = code.line(line);
  if (text.find('=') != std::string_view::npos || mentions(text, "const") || mentions(text, "parameter")) return false;
  if (code.is_c()) // visible in this file only
    return code.blocks_around(line).empty() && mentions(text, "static") && trimmed(text).ends_with(';') &&
           text.find('*') == std::string_view::npos;
  return text.find("::") != std::string_view::npos && mentions(text, name) && !trimmed(text).ends_with('&') &&
         !mentions(text, "allocatable") && !mentions(text, "pointer");
}

} // namespace

std::optional<Repair> own_workspace(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  const std::string name = leader.variable.substr(leader.variable.rfind(':') + 1);
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty() || !is_identifier(name) || leader.declared.file != leader.place.file) return std::nullopt;
  const Code& code = codes.of(leader.place.file);
  const auto function = code.function_around(leader.place.line);
  const std::uint32_t declared = leader.declared.line;
  if (!function || function->contains(declared) || !is_global(code, declared, name)) return std::nullopt;
  for (const Diagnostic* one : group)
    if (one->variable != leader.variable) return std::nullopt;
  for (const Site& site : sites)
    if (site.task != TaskKind::implicit || !site.locks.empty() || !function->contains(site.place.line) ||
        !DirectiveText::around(code, site.place.line).empty())
      return std::nullopt;
  std::optional<Position> first;
  std::optional<std::string> index;
  for (const Position at : code.mentions(name, code.whole())) {
    if (at.line == declared) continue;
    const auto own = index_behind(code, at, name);
    if (!function->contains(at) || !own || (index && *index != *own)) return std::nullopt; // also used elsewhere
    index = own;
    if (!first) first = at;
  }
  if (!first || !is_set_there(code, *first, name) || !is_unconditional(code, *function, first->line))
    return std::nullopt;
  const std::string text = directive(code.file(), "threadprivate(" + name + ")");
  return Repair{"add '" + text +
                    "' after the declaration: each thread then has its own, which the function sets before "
                    "it reads it",
                {inserted_before(code, declared + 1, text, declared)},
                "all threads use '" + name + "' at the same time, and each of them as its own workspace",
                Cause::missing_private_or_reduction};
}

} // namespace fletcher::reports

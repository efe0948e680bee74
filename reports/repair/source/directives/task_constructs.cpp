// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/directives/task_constructs.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/source/directives/depend_clause.hpp"

#include <cctype>
#include <utility>

namespace fletcher::reports {
namespace {

bool is_name_begin(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_deferred(const DirectiveText& one) {
  return one.is("task") || (one.is("target") && one.clause("nowait") != nullptr);
}

bool read_sites(const Group& group, Codes& codes, TaskConstructs& out) {
  for (const Diagnostic* one : group) {
    if (one->rule == Rule::unmatched_dependence) continue; // of the same tasks: what is done about the race helps
    if (one->rule != Rule::data_race || one->cause != Cause::missing_dependence || one->sites.size() != 2) return false;
    if (one->variable != group.front()->variable) return false;
    for (const Site& site : one->sites) {
      const bool of_task = site.task == TaskKind::explicit_ || site.task == TaskKind::target;
      if (!of_task || !site.construct.known()) return false;
      const Code& code = codes.of(site.construct.file);
      if (out.code != nullptr && out.code != &code) return false;
      out.code = &code;
      const auto line = line_of_construct(site.construct, codes.sources());
      if (!line) return false;
      out.takers[*line].writes = out.takers[*line].writes || is_write(site.type);
      out.takers[*line].sites.push_back(site.place);
    }
  }
  return out.code != nullptr;
}

} // namespace

std::optional<TaskConstructs> task_constructs(const Group& group, Codes& codes) {
  TaskConstructs out;
  if (!read_sites(group, codes, out)) return std::nullopt;
  // A task that has to wait may be the one that fulfils an event of another.
  if (!out.code->mentions("omp_fulfill_event", out.code->whole()).empty()) return std::nullopt;
  for (const auto& [line, taker] : out.takers) {
    auto directive = DirectiveText::at(*out.code, line);
    if (!directive || !is_deferred(*directive) || directive->clause("detach") != nullptr) return std::nullopt;
    for (const Clause& clause : directive->clauses())
      if (clause.name == "depend" && !read_depend(clause)) return std::nullopt;
    out.constructs.emplace(line, std::move(*directive));
  }
  return out;
}

std::set<std::string> names_in(std::string_view text) {
  static const std::set<std::string, std::less<>> keywords{
      "int",    "long",   "double",   "float",    "unsigned", "char",    "short", "signed",  "void",   "bool",
      "const",  "static", "auto",     "for",      "while",    "if",      "else",  "do",      "return", "sizeof",
      "struct", "new",    "delete",   "size_t",   "true",     "false",   "NULL",  "nullptr", "std",    "break",
      "switch", "case",   "continue", "volatile", "register", "default", "class", "this"};
  std::set<std::string> out;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_name_begin(text[i])) {
      // A number's letters are no name.
      if (std::isdigit(static_cast<unsigned char>(text[i])) != 0)
        while (i < text.size() && (is_word(text[i]) || text[i] == '.')) ++i;
      else
        ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && is_word(text[i])) ++i;
    const std::string name(text.substr(begin, i - begin));
    const std::string_view behind = trimmed(text.substr(i)), before = trimmed(text.substr(0, begin));
    const bool member = before.ends_with('.') || before.ends_with("->") || before.ends_with("::");
    if (!member && !behind.starts_with('(') && !behind.starts_with("::") && !keywords.contains(name)) out.insert(name);
  }
  return out;
}

std::string element_at(const Code& code, Position at, std::string_view name) {
  const std::string_view line = code.line(at.line);
  const char open = code.is_c() ? '[' : '(', close = code.is_c() ? ']' : ')';
  std::size_t end = at.column + name.size();
  while (end < line.size() && line[end] == open) {
    int depth = 0;
    for (; end < line.size(); ++end) {
      depth += line[end] == open ? 1 : line[end] == close ? -1 : 0;
      if (depth == 0) break;
    }
    if (end == line.size()) return {};
    ++end;
  }
  const std::string_view element = line.substr(at.column, end - at.column);
  return element.ends_with(close) ? std::string(element) : std::string();
}

} // namespace fletcher::reports

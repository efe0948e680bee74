// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data that is set where it is first needed, by a test that several threads can pass at a time, or that reads what
// another thread is about to set. A thread that has passed a critical construct with the test in it finds all set. A
// static variable of a function is set once by C++ itself.
#include "reports/repair/data/first_use.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/source/directives/task_constructs.hpp"
#include "reports/repair/source/initialisation.hpp"

#include <algorithm>
#include <array>

namespace fletcher::reports {
namespace {

bool is_cpp(const std::string& file) {
  constexpr std::array<std::string_view, 7> endings{".cpp", ".cc", ".cxx", ".C", ".hpp", ".hh", ".hxx"};
  return std::ranges::any_of(endings, [&](std::string_view one) { return file.ends_with(one); });
}

/// `if (!ready) {` in front of a critical construct, or a mutex, under which it is tested again.
std::optional<Repair> without_outer_test(const Code& code, const Initialisation& one) {
  const std::uint32_t line = one.outer->begin.line;
  const std::string_view text = code.line(line);
  const auto block = code.behind_head(*one.outer);
  const std::string behind(block ? trimmed(code.original(line).substr(std::min(block->begin.column, text.size())))
                                 : std::string_view());
  if (!block || block->begin.line != line || behind.front() != '{') return std::nullopt;
  return Repair{"remove this condition: a thread that finds '" + one.variable + "' set also has to " +
                    (one.guard ? "acquire the mutex" : "enter the critical construct") +
                    ", so that it comes after the thread that set it",
                {{{code.file(), line, 1}, std::string(text.substr(0, one.outer->begin.column)) + behind, true}},
                "the first test of '" + one.variable + "' is made " +
                    (one.guard ? "without the mutex" : "outside of the critical construct") + ": it orders nothing"};
}

std::optional<Repair> with_critical(const Code& code, const Initialisation& one) {
  const std::uint32_t first = one.condition.begin.line, last = one.condition.end.line;
  for (std::uint32_t line = first; line <= last; ++line) {
    if (!code.directive_line(line).empty()) return std::nullopt;
    for (const std::string_view word : {"break", "continue", "return", "goto", "throw"})
      if (mentions(code.line(line), word)) return std::nullopt;
  }
  const std::string text = directive(code.file(), "critical (" + one.variable + "_initialisation)");
  return Repair{"put the test and what it guards into a critical construct: '" + text + "'",
                {inserted_before(code, first, text, first)},
                "several threads may find that '" + one.variable +
                    "' is not set, or may see that it is set without being ordered after the thread that set it"};
}

/// `static int x = 0; if (x == 0) x = value();`: C++ sets it once by `static int x = value();`.
std::optional<Repair> with_initialiser(const Code& code, const Initialisation& one) {
  const auto function = code.function_around(one.condition.begin.line);
  const std::uint32_t declared = declared_static_at(code, one);
  if (!is_cpp(code.file()) || code.parts_of(one.body).size() != 1 || declared == 0) return std::nullopt;
  const auto at = code.mentions(one.variable, {{declared, 0}, {declared + 1, 0}});
  if (at.size() != 1) return std::nullopt;
  const std::string head(code.original(declared).substr(0, at.front().column));
  const std::string_view behind = trimmed(code.line(declared).substr(at.front().column + one.variable.size()));
  if (without_blanks(behind) != "=0;" && behind != ";" && without_blanks(behind) != "=nullptr;" &&
      without_blanks(behind) != "=false;")
    return std::nullopt;
  // The value is the same wherever it is computed: it comes from no variable of the function.
  for (const std::string& name : names_in(one.value))
    if (!code.mentions(name, {function->begin, {declared, 0}}).empty() ||
        mentions(code.line(function->begin.line), name))
      return std::nullopt;
  for (std::uint32_t line = declared + 1; line < one.condition.begin.line; ++line)
    if (!trimmed(code.line(line)).empty() || !code.directive_line(line).empty()) return std::nullopt;
  Repair out{"initialise '" + one.variable +
                 "' by its declaration: C++ does that once, and other threads wait until it is done",
             {{{code.file(), declared, 1}, head + one.variable + " = " + one.value + ";", true}},
             "several threads may find that '" + one.variable + "' is not set, and set it"};
  for (std::uint32_t line = one.condition.begin.line; line <= one.condition.end.line; ++line)
    out.edits.push_back({{code.file(), line, 1}, "", true});
  return out;
}

} // namespace

std::optional<Repair> repair_first_use(const Group& group, Codes& codes) {
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  const auto writer = std::ranges::find_if(sites, [](const Site& site) { return is_write(site.type); });
  const auto one = writer == sites.end() ? std::nullopt : initialisation_around(code, writer->place.line);
  if (!one || !std::ranges::all_of(sites, [&](const Site& site) { return comes_by(code, *one, site.place.line); }))
    return std::nullopt;
  for (const Site& site : sites)
    if (is_write(site.type) && !one->body.contains(site.place.line)) return std::nullopt;
  if (one->outer) return one->ends_by_value() ? without_outer_test(code, *one) : std::nullopt;
  if (one->is_exclusive()) return std::nullopt;
  if (auto found = with_initialiser(code, *one)) return found;
  // It may be the program's own order, as where tasks come one after the other.
  const bool by_threads = std::ranges::all_of(sites, [](const Site& site) { return site.task == TaskKind::implicit; });
  return by_threads && one->ends_by_value() && DirectiveText::around(code, one->condition.begin.line).empty()
             ? with_critical(code, *one)
             : std::nullopt;
}

} // namespace fletcher::reports

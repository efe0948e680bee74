// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/locks/wait_without_lock.hpp"

#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/repair/source/neighbour.hpp"

#include <algorithm>
#include <regex>
#include <set>

namespace fletcher::reports {
namespace {

/// A construct that waits, and its line.
std::optional<DirectiveText> wait_at(const SourcePlace& place, Codes& codes) {
  if (!place.known()) return std::nullopt;
  auto directive = DirectiveText::at(codes.of(place.file), place.line);
  return directive && directive->first_line() == directive->last_line() &&
                 (directive->is("taskwait") || (directive->is("barrier") && directive->stands_alone()))
             ? directive
             : std::nullopt;
}

/// A wait that is the first or the last thing in a critical construct comes out of it.
std::optional<Repair> wait_beside_critical(const DirectiveText& wait, const Code& code) {
  const auto around = DirectiveText::around(code, wait.first_line());
  const auto body = around.empty() || !around.front().is("critical") ? std::nullopt : around.front().body(code);
  if (!body || trimmed(code.line(body->end.line)) != "}") return std::nullopt;
  const std::uint32_t line = wait.first_line(), begin = body->begin.line, end = body->end.line;
  const auto blocks = code.blocks_around(line);
  if (blocks.empty() || blocks.front().begin != body->begin) return std::nullopt;
  if (neighbour(code, line, true) == end)
    return Repair{"wait after the critical construct: a task that is waited for enters it, too",
                  {{{code.file(), line, 1}, std::string(code.original(end)), true},
                   {{code.file(), end, 1}, std::string(code.original(line)), true}}};
  if (neighbour(code, line, false) != begin || trimmed(code.line(begin)) != "{") return std::nullopt;
  const std::uint32_t construct = around.front().first_line();
  return Repair{"wait before the critical construct: a task that is waited for enters it, too",
                {inserted_before(code, construct, std::string(trimmed(code.original(line))), construct),
                 {{code.file(), line, 1}, "", true}}};
}

} // namespace

std::optional<Repair> wait_without_lock(const Group& group, Codes& codes) {
  static const std::regex set(R"(^\s*omp_set_lock\s*\(([^()]*)\)\s*;\s*$)");
  static const std::regex unset(R"(^\s*omp_unset_lock\s*\(([^()]*)\)\s*;\s*$)");
  const Diagnostic& leader = *group.front();
  const auto wait = wait_at(leader.place, codes);
  const Code& code = codes.of(leader.place.file);
  if (!wait || !code.is_c()) return std::nullopt;
  const std::uint32_t line = wait->first_line();
  const auto argument = [&](std::uint32_t where, const std::regex& call) -> std::string {
    std::match_results<std::string_view::const_iterator> match;
    const std::string_view text = code.line(where);
    return std::regex_match(text.begin(), text.end(), match, call) ? without_blanks(match[1].str()) : std::string();
  };
  // The lock's own places: where the one who waits has taken it, and where the others do.
  std::set<std::string> taken;
  for (const Note& note : leader.notes)
    if (note.kind == Note::Kind::step && note.place.file == code.file())
      if (std::string lock = argument(note.place.line, set); !lock.empty()) taken.insert(std::move(lock));
  if (taken.empty()) return wait_beside_critical(*wait, code);
  if (taken.size() != 1) return std::nullopt;
  for (const bool below : {true, false}) {
    const std::uint32_t other = neighbour(code, line, below);
    if (argument(other, below ? unset : set) != *taken.begin()) continue;
    return Repair{below ? "unset the lock before the wait: a task that is waited for takes it, too"
                        : "set the lock after the wait: a task that is waited for takes it, too",
                  {{{code.file(), std::min(line, other), 1}, std::string(code.original(std::max(line, other))), true},
                   {{code.file(), std::max(line, other), 1}, std::string(code.original(std::min(line, other))), true}}};
  }
  return std::nullopt;
}

} // namespace fletcher::reports

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/locks/longer_section.hpp"

#include "reports/repair/source/calls/lock_call.hpp"
#include "reports/repair/source/directives/directive_text.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace fletcher::reports {
namespace {

/// The calls that set and unset a lock, as statements of one block, with nothing else about locks in between.
struct Section {
  Extent block;
  std::uint32_t set = 0, unset = 0;
  LockCall call;
};

bool is_statement_of(const Code& code, std::uint32_t line, const Extent& block) {
  const auto blocks = code.blocks_around(line);
  return !blocks.empty() && blocks.front().begin == block.begin && begins_a_statement(code, line);
}

std::optional<LockCall> any_lock_call(std::string_view line) {
  auto call = lock_call(line);
  return call ? call : member_lock_call(line);
}

std::optional<Section> section_from(const Code& code, std::uint32_t set) {
  const auto call = any_lock_call(code.line(set));
  const auto blocks = code.blocks_around(set);
  if (!call || undone_by(call->function).empty() || blocks.empty() || !is_statement_of(code, set, blocks.front()))
    return std::nullopt;
  for (std::uint32_t line = set + 1; line < blocks.front().end.line; ++line) {
    const auto other = any_lock_call(code.line(line));
    if (!other) continue;
    const bool ends = other->function == undone_by(call->function) &&
                      without_blanks(other->lock) == without_blanks(call->lock) &&
                      is_statement_of(code, line, blocks.front());
    return ends ? std::optional(Section{blocks.front(), set, line, *call}) : std::nullopt;
  }
  return std::nullopt;
}

/// All that the lines have runs one after the other, and holds and waits for nothing.
bool runs_through(const Code& code, std::uint32_t first, std::uint32_t last) {
  constexpr std::array<std::string_view, 5> words{"return", "goto", "break", "continue", "throw"};
  for (std::uint32_t line = first; line <= last; ++line) {
    if (!code.directive_line(line).empty() || any_lock_call(code.line(line)) || !guarded_mutex(code.line(line)).empty())
      return false;
    for (const std::string_view word : words)
      if (mentions(code.line(line), word)) return false;
  }
  return true;
}

/// The block of a critical construct ends only behind the accesses that follow it in the block around.
std::optional<Repair> longer_critical(std::uint32_t construct, std::uint32_t first, std::uint32_t last,
                                      const Code& code) {
  const auto directive = DirectiveText::at(code, construct);
  const auto body = directive && directive->is("critical") ? directive->body(code) : std::nullopt;
  const auto blocks = code.blocks_around(construct);
  if (!body || blocks.empty() || first <= body->end.line || trimmed(code.line(body->end.line)) != "}")
    return std::nullopt;
  const std::vector<Extent> parts = code.parts_of(blocks.front());
  const auto part = std::ranges::find_if(parts, [&](const Extent& one) { return one.contains(last); });
  if (part == parts.end() || part->begin <= body->begin || !runs_through(code, body->end.line + 1, part->end.line) ||
      !trimmed(code.line(part->end.line).substr(part->end.column)).empty())
    return std::nullopt;
  return Repair{
      "end the critical construct only after line " + std::to_string(part->end.line) +
          ": both accesses are then inside",
      {{{code.file(), body->end.line, 1}, "", true}, inserted_before(code, part->end.line + 1, "}", body->end.line)}};
}

} // namespace

std::optional<Repair> longer_section(const Group& group, Codes& codes) {
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  if (!code.is_c()) return std::nullopt;
  std::set<std::uint32_t> set_at, outside;
  SourcePlace acquired;
  for (const Site& site : sites) {
    if (site.locks.size() > 1) return std::nullopt;
    if (site.locks.empty()) outside.insert(site.place.line);
    for (const Site::Lock& lock : site.locks) {
      if (lock.acquired.file != code.file()) return std::nullopt;
      set_at.insert(lock.acquired.line);
      acquired = lock.acquired;
    }
  }
  if (set_at.size() != 1 || outside.empty()) return std::nullopt;
  if (const auto construct = line_of_construct(acquired, codes.sources()))
    if (auto found = longer_critical(*construct, *outside.begin(), *outside.rbegin(), code)) return found;
  const auto section = section_from(code, *set_at.begin());
  if (!section) return std::nullopt;
  const std::uint32_t first = *outside.begin(), last = *outside.rbegin();
  const std::vector<Extent> parts = code.parts_of(section->block);
  const auto part_at = [&](std::uint32_t line) {
    return std::ranges::find_if(parts, [&](const Extent& part) { return part.contains(line); });
  };
  if (first > section->unset) {
    const auto part = part_at(last);
    if (part == parts.end() || !runs_through(code, section->unset + 1, part->end.line) ||
        !trimmed(code.line(part->end.line).substr(part->end.column)).empty())
      return std::nullopt;
    return Repair{"unset the lock only after line " + std::to_string(part->end.line) + ": both accesses then hold it",
                  {{{code.file(), section->unset, 1}, "", true},
                   inserted_before(code, part->end.line + 1, std::string(trimmed(code.original(section->unset))),
                                   section->unset)}};
  }
  if (last < section->set) {
    const auto part = part_at(first);
    if (part == parts.end() || !begins_a_statement(code, part->begin.line) ||
        !runs_through(code, part->begin.line, section->set - 1))
      return std::nullopt;
    return Repair{
        "set the lock before this line: '" + section->call.lock + "'",
        {inserted_before(code, part->begin.line, std::string(trimmed(code.original(section->set))), section->set),
         {{code.file(), section->set, 1}, "", true}}};
  }
  return std::nullopt;
}

} // namespace fletcher::reports

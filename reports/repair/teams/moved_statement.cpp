// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A statement on the wrong side of what would order it: right behind the call or construct that says the data is there,
// right in front of the wait for who uses it, or right behind the ordered construct of its iteration.
#include "reports/document/words.hpp"
#include "reports/repair/data/critical_section.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/calls/lock_call.hpp"
#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/repair/source/neighbour.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <regex>
#include <set>

namespace fletcher::reports {
namespace {

constexpr std::uint32_t lines_looked_at = 8;

std::set<std::string> words_in(std::string_view text) {
  std::set<std::string> out;
  for (std::size_t i = 0; i < text.size();) {
    const std::string word(first_word(text.substr(i)));
    if (is_identifier(word)) out.insert(word);
    i += std::max<std::size_t>(word.size(), 1);
  }
  return out;
}

bool are_in_one_block(const Code& code, std::uint32_t a, std::uint32_t b) {
  const auto one = code.blocks_around(a), other = code.blocks_around(b);
  return !one.empty() && !other.empty() && one.front().begin == other.front().begin;
}

/// The text names nothing that stands between two lines, both included.
bool is_independent_of(const Code& code, std::string_view text, std::uint32_t first, std::uint32_t last) {
  for (const std::string& name : words_in(text))
    for (std::uint32_t line = first; line <= last; ++line)
      if (mentions(code.line(line), name) || mentions(code.directive_line(line), name)) return false;
  return true;
}

/// Where a thread of its own begins, and the function that it executes; `thread` is what a join names.
struct Start {
  std::uint32_t line = 0;
  std::string thread, function;
};

std::optional<Start> start_on(const Code& code, std::uint32_t line) {
  static const std::regex call(
      R"(^\s*(?:pthread_create|thrd_create)\s*\(\s*&\s*(\w+)\s*,(?:[^,]*,)?\s*(\w+)\s*,[^,]*\)\s*;\s*$)");
  static const std::regex object(R"(^\s*std::(?:j)?thread\s+(\w+)\s*[({]\s*(\w*).*$)");
  const std::string text(code.line(line));
  std::smatch match;
  if (!std::regex_match(text, match, call) && !std::regex_match(text, match, object)) return std::nullopt;
  return Start{line, match[1].str(), match[2].str()};
}

/// The place is in what the thread executes: in its function, or in a lambda where it is started.
bool executes(const Code& code, const Start& start, std::uint32_t line) {
  if (const auto statement = code.statement_from({start.line, 0}); statement && statement->contains(line)) return true;
  const auto function = code.function_around(line);
  return function && !start.function.empty() && mentions(code.line(function->begin.line), start.function);
}

std::optional<Start> start_of(const Code& code, const std::string& thread, std::uint32_t before) {
  for (std::uint32_t line = before; line > 0; --line)
    if (auto start = start_on(code, line); start && start->thread == thread) return start;
  return std::nullopt;
}

/// What the race is between: an access that may move, and the other one.
struct Side {
  const Site& own;
  const Site& other;
  bool is_creator = false; ///< of the task of the other access
};

std::vector<Side> sides_of(const Diagnostic& race) {
  std::vector<Side> out;
  if (race.rule != Rule::data_race || race.sites.size() != 2) return out;
  for (const std::size_t k : {0U, 1U}) {
    Side side{race.sites[k], race.sites[1 - k], false};
    if (race.participants.size() == 2) {
      const auto &own = race.participants[k].tasks, &others = race.participants[1 - k].tasks;
      side.is_creator = !own.empty() && others.size() > 1 && own[0].id == others[1].id && own[0].id != TaskId::none;
    }
    out.push_back(side);
  }
  return out;
}

class Move {
public:
  explicit Move(const Code& code) : code_(code) {}

  std::optional<Repair> find(const Side& side) const {
    if (side.own.place.file != code_.file() || side.other.place.file != code_.file()) return std::nullopt;
    if (auto found = behind_wait(side)) return found;
    return is_write(side.own.type) ? before_start(side) : std::nullopt;
  }

  /// Behind the ordered construct of its iteration there is a statement more that belongs into it.
  std::optional<Repair> into_ordered(std::uint32_t line) const {
    const std::uint32_t end = line - 1;
    const auto around = DirectiveText::around(code_, line);
    if (trimmed(code_.line(end)) != "}" || !is_simple(line) || around.empty() || !around.front().shares_a_loop() ||
        around.front().clause("ordered") == nullptr)
      return std::nullopt;
    for (const DirectiveText& one : DirectiveText::around(code_, end)) {
      const auto body = one.body(code_);
      if (!one.is("ordered") || one.first_line() == around.front().first_line() || !body || body->end.line != end)
        continue;
      return Repair{"put this line into the ordered construct above",
                    {{{code_.file(), end, 1}, "  " + std::string(code_.original(line)), true},
                     {{code_.file(), line, 1}, std::string(code_.original(end)), true}}};
    }
    return std::nullopt;
  }

private:
  /// An assignment that is alone on its line.
  bool is_simple(std::uint32_t line) const {
    const auto statement = code_.statement_at({code_.file(), line, 0});
    return statement && is_alone(code_, *statement) && statement_form(code_.text(*statement)).has_value();
  }

  /// A taskwait, or a join, right below waits for who makes the other access: it comes first.
  std::optional<Repair> behind_wait(const Side& side) const {
    static const std::regex joined(
        R"(^\s*(?:(?:pthread_join|thrd_join)\s*\(\s*(\w+)\s*,[^,]*\)|(\w+)\s*\.\s*join\s*\(\s*\))\s*;\s*$)");
    std::uint32_t first = side.own.place.line;
    if (!is_simple(first)) return std::nullopt;
    const std::uint32_t wait = neighbour(code_, first, true);
    for (const DirectiveText& one : DirectiveText::around(code_, first))
      if (const auto body = one.body(code_); body && body->end.line == side.own.place.line && one.first_line() < first)
        first = one.first_line();
    if (!are_in_one_block(code_, first, wait) || !begins_a_statement(code_, first)) return std::nullopt;
    if (const auto directive = DirectiveText::at(code_, wait)) {
      if (!directive->is("taskwait") || !directive->clauses().empty() || !side.is_creator) return std::nullopt;
    } else {
      const std::string text(code_.line(wait));
      std::smatch match;
      if (!std::regex_match(text, match, joined)) return std::nullopt;
      const auto start = start_of(code_, match[1].matched ? match[1].str() : match[2].str(), first - 1);
      if (!start || !executes(code_, *start, side.other.place.line)) return std::nullopt;
      for (std::uint32_t line = first; line < wait; ++line)
        if (!is_independent_of(code_, code_.line(line), wait, wait)) return std::nullopt;
    }
    Repair out{"wait before this line: the thread or task that is waited for makes the other access",
               {inserted_before(code_, first, std::string(trimmed(code_.original(wait))), wait),
                {{code_.file(), wait, 1}, "", true}}};
    const bool of_tasks = !code_.directive_line(wait).empty();
    out.why = of_tasks ? "the creator uses this before it waits for the task: the taskwait comes later"
                       : "this comes before the join of the thread that makes the other access";
    if (of_tasks) out.cause = Cause::missing_taskwait;
    return out;
  }

  /// The line right above says that the data is there: it comes behind.
  std::optional<Repair> before_start(const Side& side) const {
    const std::uint32_t line = side.own.place.line;
    if (!is_simple(line)) return std::nullopt;
    const std::uint32_t above = neighbour(code_, line, false);
    if (!are_in_one_block(code_, line, above)) return std::nullopt;
    const auto to = top_of(above, side.other.place.line);
    if (!to || !is_independent_of(code_, code_.line(line), *to, above) || !begins_a_statement(code_, *to))
      return std::nullopt;
    Repair out{"do this first: the code that uses '" + base(line) + "' may continue after the line above",
               {inserted_before(code_, *to, std::string(trimmed(code_.original(line))), line),
                {{code_.file(), line, 1}, "", true}}};
    out.why = start_on(code_, above)
                  ? "the thread that makes the other access begins before this is done"
                  : "the line above signals to the thread that makes the other access that this is done already";
    return out;
  }

  std::string base(std::uint32_t line) const { return std::string(first_word(trimmed(code_.line(line)))); }

  /// The first line of what ends at a line, where it lets the thread that makes the other access continue.
  std::optional<std::uint32_t> top_of(std::uint32_t line, std::uint32_t user) const {
    if (const auto start = start_on(code_, line))
      return executes(code_, *start, user) ? std::optional(line) : std::nullopt;
    if (trimmed(code_.line(line)).starts_with("omp_fulfill_event(")) {
      for (std::uint32_t l = user - 1; l > 0 && l + lines_looked_at > user; --l)
        if (const auto wait = DirectiveText::at(code_, l); wait && wait->is("taskwait")) return line;
      return std::nullopt;
    }
    const auto unset = lock_call(code_.line(line));
    if (!unset || !undone_by(unset->function).empty() || !waits_with(*unset, user)) return std::nullopt;
    for (std::uint32_t l = line - 1; l > 0 && l + lines_looked_at > line; --l) {
      const auto set = are_in_one_block(code_, l, line) ? lock_call(code_.line(l)) : std::nullopt;
      if (set && undone_by(set->function) == unset->function && set->lock == unset->lock) return l;
    }
    return std::nullopt;
  }

  /// Above the line a condition is waited for with the mutex.
  bool waits_with(const LockCall& unset, std::uint32_t user) const {
    bool waits = false;
    for (std::uint32_t l = user - 1; l > 0 && l + lines_looked_at > user; --l) {
      const std::string_view text = code_.line(l);
      waits = waits || mentions(text, "cnd_wait") || mentions(text, "pthread_cond_wait");
      const auto set = lock_call(text);
      if (waits && set && undone_by(set->function) == unset.function && set->lock == unset.lock) return true;
    }
    return false;
  }

  const Code& code_;
};

} // namespace

std::optional<Repair> repair_by_move(const Group& group, Codes& codes) {
  const Code& code = codes.of(group.front()->place.file);
  if (!code.is_c()) return std::nullopt;
  const Move move(code);
  const std::vector<Site> sites = sites_of(group);
  const bool one_line =
      std::ranges::all_of(sites, [&](const Site& site) { return site.place.line == sites.front().place.line; });
  if (!sites.empty() && one_line && sites.front().place.file == code.file())
    return move.into_ordered(sites.front().place.line);
  std::optional<Repair> out;
  for (const Diagnostic* one : group) {
    std::optional<Repair> own;
    for (const Side& side : sides_of(*one))
      if (!own) own = move.find(side);
    if (!own || (out && out->edits != own->edits)) return std::nullopt;
    out = std::move(own);
  }
  return out;
}

} // namespace fletcher::reports

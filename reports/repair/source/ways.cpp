// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/ways.hpp"

#include "reports/repair/source/calls/calls.hpp"
#include "reports/repair/source/calls/lock_call.hpp"
#include "reports/repair/source/directives/team_construct.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fletcher::reports {
namespace {

constexpr std::size_t most_ways = 64, deepest_call = 6, most_statements = 20000;

bool is_of_some(const DirectiveText& construct) {
  constexpr std::array<std::string_view, 4> words{"single", "master", "masked", "sections"};
  return std::ranges::any_of(words, [&](std::string_view word) { return construct.is(word); });
}

/// One may wait where it ends.
bool may_wait(const DirectiveText& construct) { return !construct.is("critical") && !construct.is("ordered"); }

class Walk {
public:
  Walk(const Code& code, const Course& course, const std::vector<Route>& others,
       const std::vector<std::string_view>& words, bool to_end)
      : code_(code), target_(to_end ? Route() : course.route), words_(words), functions_(functions_of(code)) {
    if (!course.route.empty()) routes_.push_back(course.route);
    routes_.insert(routes_.end(), others.begin(), others.end());
  }

  std::optional<std::vector<Way>> all(const Course& course) {
    std::vector<State> states(1);
    part(states, course.construct ? course.construct->last_line() : course.body.begin.line, course.body);
    if (is_unclear_) return std::nullopt;
    std::vector<Way> out;
    for (State& state : states) {
      if (state.flow == Flow::arrives || target_.empty()) {
        if (target_.empty()) state.way.push_back({Act::Kind::ends, {}, {}, course.body.end.line});
        out.push_back(std::move(state.way));
      }
    }
    return out;
  }

private:
  enum class Flow : std::uint8_t { goes_on, breaks, returns, arrives };
  struct State {
    Way way;
    std::map<std::string, bool> decided; ///< conditions
    Flow flow = Flow::goes_on;
  };
  using States = std::vector<State>;

  template <class Do> void each(States& states, const Do& act) {
    for (State& state : states)
      if (state.flow == Flow::goes_on) act(state);
  }

  void add(States& states, const Act& act) {
    each(states, [&](State& state) { state.way.push_back(act); });
  }

  /// What goes on, and what does not, apart.
  static States taken_out(States& states, Flow flow) {
    States out;
    for (State& state : states)
      if (state.flow == flow) out.push_back(std::move(state));
    std::erase_if(states, [&](const State& state) { return state.flow == flow; });
    return out;
  }

  static void put(States& to, States from) {
    for (State& state : from) to.push_back(std::move(state));
  }

  void limit(const States& states) { is_unclear_ |= states.size() > most_ways; }

  /// The lines in the function that is gone through by which the recorded places were come to.
  template <class Test> bool any_route(const Test& test) const {
    return std::ranges::any_of(routes_, [&](const Route& route) {
      return route.size() > chain_.size() && std::equal(chain_.begin(), chain_.end(), route.begin()) &&
             test(route[chain_.size()]);
    });
  }

  bool comes_into(const Extent& part) const {
    const bool is_block = code_.line(part.begin.line).substr(part.begin.column).starts_with('{');
    const bool on_one_line = part.begin.line == part.end.line;
    return any_route([&](std::uint32_t line) {
      return is_block && !on_one_line ? part.begin.line < line && line < part.end.line : part.contains(line);
    });
  }

  bool is_target(std::uint32_t first, std::uint32_t last) const {
    return !target_.empty() && target_.size() == chain_.size() + 1 &&
           std::equal(chain_.begin(), chain_.end(), target_.begin()) && first <= target_.back() &&
           target_.back() <= last;
  }

  void arrive(States& states, std::string text, std::optional<DirectiveText> directive, std::uint32_t line) {
    each(states, [&](State& state) {
      state.way.push_back({Act::Kind::arrives, text, directive, line});
      state.flow = Flow::arrives;
    });
  }

  bool matters(const Extent& part) const {
    const std::string text = code_.text(part);
    const auto has = [&](std::string_view word) { return text.find(word) != std::string::npos; };
    constexpr std::array<std::string_view, 4> leaving{"return", "break", "goto", "continue"};
    if (std::ranges::any_of(words_, has) || std::ranges::any_of(leaving, has) || comes_into(part)) return true;
    for (std::uint32_t line = part.begin.line; line <= part.end.line; ++line)
      if (!code_.directive_line(line).empty() && !mentions(code_.directive_line(line), "atomic")) return true;
    return std::ranges::any_of(functions_, [&](const auto& one) { return has(one.first + "("); });
  }

  // ---- directives ---------------------------------------------------------------------------------------------------

  /// A statement with the directives in front of it, behind the line `after`.
  void part(States& states, std::uint32_t after, const Extent& statement) {
    std::vector<DirectiveText> around;
    for (std::uint32_t line = after + 1; line <= statement.begin.line; ++line) {
      auto directive = DirectiveText::at(code_, line);
      if (!directive) continue;
      const auto body = directive->stands_alone() ? std::nullopt : directive->body(code_);
      if (directive->stands_alone())
        alone(states, *directive);
      else if (body && body->begin == statement.begin)
        around.push_back(std::move(*directive));
    }
    inside(states, around, 0, statement);
  }

  void alone(States& states, const DirectiveText& directive) {
    if (is_target(directive.first_line(), directive.last_line())) arrive(states, {}, directive, directive.first_line());
    add(states, {Act::Kind::meets, {}, directive, directive.first_line()});
  }

  void inside(States& states, const std::vector<DirectiveText>& around, std::size_t index, const Extent& statement) {
    if (index == around.size()) return go(states, statement);
    const DirectiveText& one = around[index];
    const std::uint32_t line = one.first_line();
    const bool is_meant = is_target(line, one.last_line()), waits_at_end = may_wait(one) && !is_of_others(one);
    if (is_meant && !waits_at_end) arrive(states, {}, one, line);
    const auto leave = [&](Act::Kind kind) {
      if ((is_meant && waits_at_end) || (may_wait(one) && is_target(statement.end.line, statement.end.line)))
        arrive(states, {}, one, line);
      add(states, {kind, {}, one, line});
    };
    if (is_of_others(one)) return leave(Act::Kind::creates);
    add(states, {Act::Kind::enters, {}, one, line});
    States without;
    if (is_of_some(one) && !comes_into(statement)) without = states;
    inside(states, around, index + 1, statement);
    put(states, std::move(without));
    limit(states);
    leave(Act::Kind::leaves);
  }

  // ---- statements ---------------------------------------------------------------------------------------------------

  void go(States& states, const Extent& statement) {
    is_unclear_ |= ++statements_ > most_statements;
    if (is_unclear_ || states.empty()) return;
    const std::string_view text = code_.line(statement.begin.line).substr(statement.begin.column);
    if (text.starts_with('{')) return block(states, statement);
    const std::string_view keyword = first_word(text);
    if (keyword == "if") return branch(states, statement);
    if (keyword == "for" || keyword == "while" || keyword == "do" || keyword == "switch")
      return loop(states, statement);
    simple(states, statement);
  }

  void block(States& states, const Extent& statement) {
    std::uint32_t after = statement.begin.line;
    const std::vector<Extent> parts = code_.parts_of(statement);
    const Extent inner{{statement.begin.line, statement.begin.column + 1},
                       {statement.end.line, statement.end.column - 1}};
    if (parts.empty() && !trimmed(code_.text(inner)).empty()) is_unclear_ = true;
    for (const Extent& one : parts) {
      part(states, after, one);
      after = one.end.line;
    }
    for (std::uint32_t line = after + 1; line < statement.end.line; ++line)
      if (const auto directive = DirectiveText::at(code_, line); directive && directive->stands_alone())
        alone(states, *directive);
    for (const Extent& one : parts) {
      const std::string text = code_.text(one);
      if (guarded_mutex(text).empty()) continue;
      for (State& state : states)
        if (state.flow != Flow::arrives)
          state.way.push_back({Act::Kind::lets_go, with_names(text, names_), {}, one.begin.line});
    }
  }

  void branch(States& states, const Extent& statement) {
    const auto first = code_.behind_head(statement);
    if (!first) {
      is_unclear_ = true;
      return;
    }
    std::optional<Extent> second;
    if (const auto behind = code_.next(first->end); behind && statement.contains(*behind))
      second = code_.statement_from({behind->line, behind->column + 4});
    const std::string condition = without_blanks(with_names(code_.text({statement.begin, first->begin}), names_));
    const bool is_lasting = is_pure(std::string_view(condition).substr(2));
    const bool into_first = comes_into(*first), into_second = second && comes_into(*second);
    if (!into_first && !into_second && !matters(*first) && (!second || !matters(*second))) return;
    States taken, left;
    for (State& state : taken_out(states, Flow::goes_on)) {
      const auto known = state.decided.find(condition);
      const bool may_take = into_first || (!into_second && (known == state.decided.end() || known->second));
      const bool may_leave = !into_first && (into_second || known == state.decided.end() || !known->second);
      State other = state;
      if (is_lasting) state.decided[condition] = true;
      if (is_lasting) other.decided[condition] = false;
      if (may_take) taken.push_back(std::move(state));
      if (may_leave) left.push_back(std::move(other));
    }
    part(taken, statement.begin.line, *first);
    if (second) part(left, first->end.line, *second);
    put(states, std::move(taken));
    put(states, std::move(left));
    limit(states);
  }

  void loop(States& states, const Extent& statement) {
    const std::string_view text = code_.line(statement.begin.line).substr(statement.begin.column);
    const auto body = text.starts_with("do") ? code_.statement_from({statement.begin.line, statement.begin.column + 2})
                                             : code_.behind_head(statement);
    if (!body || (text.starts_with("switch") && matters(*body))) {
      is_unclear_ = true;
      return;
    }
    if (!matters(*body)) return;
    const std::string head = without_blanks(code_.text({statement.begin, body->begin}));
    const bool is_left_inside = head == "for(;;)" || head == "while(1)" || head == "while(true)" || head == "do";
    States without;
    const bool is_of_team = target_.empty() && has_team_construct(*body, code_); // all threads go through it alike
    if (!comes_into(*body) && !is_left_inside && !is_of_team)
      each(states, [&](const State& state) { without.push_back(state); });
    part(states, statement.begin.line, *body);
    for (State& state : states)
      if (state.flow == Flow::breaks) state.flow = Flow::goes_on;
    put(states, std::move(without));
    limit(states);
  }

  void simple(States& states, const Extent& statement) {
    const std::string text = code_.text(statement);
    const std::string_view keyword = first_word(text);
    calls(states, statement, text);
    if (is_target(statement.begin.line, statement.end.line))
      arrive(states, with_names(text, names_), std::nullopt, statement.begin.line);
    add(states, {Act::Kind::statement, with_names(text, names_), {}, statement.begin.line});
    const auto form = statement_form(text);
    each(states, [&](State& state) {
      if (keyword == "return") state.flow = Flow::returns;
      if (keyword == "break" || keyword == "continue") state.flow = Flow::breaks;
      if (form)
        std::erase_if(state.decided, [&](const auto& one) { return mentions(one.first, base_of(form->target)); });
    });
    is_unclear_ |= keyword == "goto";
  }

  /// What the functions do that a statement calls.
  void calls(States& states, const Extent& statement, const std::string& text) {
    if (text.find('(') == std::string::npos) return;
    const std::uint32_t line = statement.begin.line;
    for (const auto& [name, body] : functions_) {
      if (!mentions(text, name) || body.contains(line)) continue;
      const auto given = arguments_of(text, name);
      if (chain_.size() >= deepest_call || (text.find(name + "(") == std::string::npos)) continue;
      std::map<std::string, std::string> names;
      const auto parameters = parameters_of(code_, body, name);
      for (std::size_t i = 0; i < std::min(given.size(), parameters.size()); ++i)
        names[parameters[i]] = with_names(given[i].text, names_);
      std::swap(names_, names);
      chain_.push_back(line);
      if (matters(body)) {
        States others = taken_out(states, Flow::returns);
        go(states, body);
        for (State& state : states)
          if (state.flow == Flow::returns) state.flow = Flow::goes_on;
        put(states, std::move(others));
      }
      chain_.pop_back();
      std::swap(names_, names);
    }
  }

  const Code& code_;
  Route target_;
  std::vector<Route> routes_;
  const std::vector<std::string_view>& words_;
  std::map<std::string, Extent> functions_;
  std::map<std::string, std::string> names_; ///< what parameters stand for
  Route chain_;                              ///< the calls that are being gone through
  std::size_t statements_ = 0;               ///< that were gone through
  bool is_unclear_ = false;
};

} // namespace

std::optional<std::vector<Way>> ways(const Code& code, const Course& course, const std::vector<Route>& others,
                                     const std::vector<std::string_view>& words, bool to_end) {
  return Walk(code, course, others, words, to_end).all(course);
}

} // namespace fletcher::reports

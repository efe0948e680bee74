// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races whose edits change statements: whether one access hands over to the other one, both are in one construct, or
// the iterations wait for what they use.
#include "reports/document/words.hpp"
#include "reports/repair/source/directives/depend_clause.hpp"
#include "reports/repair/source/directives/task_constructs.hpp"
#include "reports/repair/source/statement_form.hpp"
#include "reports/repair/trial/trial.hpp"
#include "reports/repair/trial/versions.hpp"

#include <algorithm>
#include <regex>

namespace fletcher::reports {
namespace {

class Moves {
public:
  Moves(const Diagnostic& race, const Version& version) : race_(race), version_(version), code_(version.code()) {}

  std::optional<bool> happens() {
    if (race_.sites.size() != 2 || !code_.is_c()) return std::nullopt;
    for (const std::size_t k : {0U, 1U}) {
      const SourcePlace& place = race_.sites[k].place;
      lines_[k] = place.file == code_.file() ? version_.line(place.line) : std::nullopt;
    }
    if (are_captured()) return false;
    if (!lines_[0] || !lines_[1]) return std::nullopt;
    if (race_.between_teams) return construct_around(*lines_[0], "teams") == construct_around(*lines_[1], "teams");
    const auto apart = [&](std::size_t a, std::size_t b) {
      return is_joined(a, b) || is_started_later(a, b) || fulfils_event(a, b) || signals(a, b) || publishes_it(a, b);
    };
    return !apart(0, 1) && !apart(1, 0) && !are_in_order() && !wait_for_sources();
  }

private:
  std::uint32_t line(std::size_t side) const { return *lines_[side]; }

  /// Where the innermost construct with the word begins that is around a line; 0 for none.
  std::uint32_t construct_around(std::uint32_t at, std::string_view word) const {
    for (const DirectiveText& one : DirectiveText::around(code_, at))
      if (one.is(word)) return one.first_line();
    return 0;
  }

  Extent function_of(std::size_t side) const {
    return code_.function_around(line(side)).value_or(Extent{{line(side), 0}, {line(side), 0}});
  }

  /// Lines of the side's function behind its access, or in front of it, that it passes, too.
  template <class Test> bool any_behind(std::size_t side, const Test& test) const {
    for (std::uint32_t l = line(side) + 1; l < function_of(side).end.line; ++l)
      if (is_passed(l, line(side)) && test(l)) return true;
    return false;
  }
  template <class Test> bool any_before(std::size_t side, const Test& test) const {
    for (std::uint32_t l = function_of(side).begin.line; l < line(side); ++l)
      if (is_passed(l, line(side)) && test(l)) return true;
    return false;
  }

  bool is_passed(std::uint32_t at, std::uint32_t by) const {
    const auto blocks = code_.blocks_around(at);
    return !blocks.empty() && blocks.front().begin.line <= by && by <= blocks.front().end.line;
  }

  // ---- threads of the program's own ---------------------------------------------------------------------------------

  struct Start {
    std::string thread, function;
  };
  std::optional<Start> start_on(std::uint32_t at) const {
    static const std::regex call(R"((?:pthread_create|thrd_create)\s*\(\s*&\s*(\w+)\s*,(?:[^,]*,)?\s*(\w+)\s*,)");
    static const std::regex object(R"(std::(?:j)?thread\s+(\w+)\s*[({]\s*(\w*))");
    const std::string text(code_.line(at));
    std::smatch match;
    if (!std::regex_search(text, match, call) && !std::regex_search(text, match, object)) return std::nullopt;
    return Start{match[1].str(), match[2].str()};
  }

  /// The access is in what the thread executes that is started on a line.
  bool executes(std::uint32_t at, const Start& start, std::size_t side) const {
    if (const auto statement = code_.statement_from({at, 0}); statement && statement->contains(line(side))) return true;
    return !start.function.empty() && mentions(code_.line(function_of(side).begin.line), start.function);
  }

  /// `a` is in a thread that is joined in front of `b`.
  bool is_joined(std::size_t a, std::size_t b) const {
    static const std::regex join(R"((?:pthread_join|thrd_join)\s*\(\s*(\w+)|\b(\w+)\s*\.\s*join\s*\()");
    for (std::uint32_t at = function_of(b).begin.line; at < line(b); ++at) {
      const auto start = start_on(at);
      if (!start || !executes(at, *start, a)) continue;
      const bool joined = any_before(b, [&](std::uint32_t l) {
        const std::string text(code_.line(l));
        std::smatch match;
        return l > at && std::regex_search(text, match, join) &&
               (match[1].matched ? match[1].str() : match[2].str()) == start->thread;
      });
      if (joined) return true;
    }
    return false;
  }

  /// Behind `a` the thread is started that does `b`.
  bool is_started_later(std::size_t a, std::size_t b) const {
    return any_behind(a,
                      [&](std::uint32_t l) {
                        const auto start = start_on(l);
                        return start && executes(l, *start, b);
                      }) &&
           !any_before(a, [&](std::uint32_t l) {
             const auto start = start_on(l);
             return start && executes(l, *start, b);
           });
  }

  // ---- events, conditions and flags ---------------------------------------------------------------------------------

  /// Behind `a` the event is fulfilled of a task that `b` comes after.
  bool fulfils_event(std::size_t a, std::size_t b) const {
    const auto fulfils = [&](std::uint32_t l) { return mentions(code_.line(l), "omp_fulfill_event"); };
    if (!any_behind(a, fulfils) || any_before(a, fulfils)) return false;
    const auto waits = [&](std::uint32_t l) {
      const auto one = DirectiveText::at(code_, l);
      return one && one->is("taskwait");
    };
    if (any_before(b, waits)) return true;
    const std::uint32_t construct = construct_around(line(b), "task");
    const auto task = construct == 0 ? std::nullopt : DirectiveText::at(code_, construct);
    for (std::uint32_t l = function_of(b).begin.line; task && l < construct; ++l) {
      const auto detached = DirectiveText::at(code_, l);
      if (!detached || detached->clause("detach") == nullptr) continue;
      for (const DependClause& clause : depend_clauses(*task))
        for (const std::string& item : clause.items)
          if (!type_of(*detached, item).empty()) return true;
    }
    return false;
  }

  /// Behind `a` a mutex is locked and let go of, with which `b` has waited for a condition.
  bool signals(std::size_t a, std::size_t b) const {
    static const std::regex wait(R"((?:cnd_wait|pthread_cond_wait)\s*\([^,]*,\s*&?\s*(\w+)\s*\))");
    return any_before(b, [&](std::uint32_t l) {
      const std::string text(code_.line(l));
      std::smatch match;
      if (!std::regex_search(text, match, wait)) return false;
      const auto locks = [&](std::uint32_t at) {
        const std::string_view call = code_.line(at);
        return mentions(call, match[1].str()) && (mentions(call, "mtx_lock") || mentions(call, "pthread_mutex_lock"));
      };
      return any_behind(a, locks);
    });
  }

  /// Behind `a` a flag is released that is acquired in front of `b`: by atomic constructs, or atomic objects of C++.
  bool publishes_it(std::size_t a, std::size_t b) const {
    const auto order = [&](std::uint32_t l, std::string_view own) {
      const auto directive = DirectiveText::at(code_, l - 1);
      const std::string_view text = code_.line(l);
      if (directive && directive->is("atomic"))
        return directive->clause(own) != nullptr || directive->clause("acq_rel") != nullptr ||
               directive->clause("seq_cst") != nullptr;
      const bool is_object = text.find(own == "release" ? ".store(" : ".load(") != std::string_view::npos;
      return is_object &&
             (text.find("memory_order") == std::string_view::npos
                  ? text.find(',') == std::string_view::npos
                  : text.find(own) != std::string_view::npos || text.find("seq_cst") != std::string_view::npos);
    };
    return any_behind(a, [&](std::uint32_t l) {
      if (!order(l, "release")) return false;
      for (std::uint32_t other = function_of(b).begin.line; other < line(b); ++other) {
        if (!order(other, "acquire") || other == l) continue;
        const auto names = names_in(code_.line(other));
        if (std::ranges::any_of(names_in(code_.line(l)), [&](const auto& name) { return names.contains(name); }))
          return true;
      }
      return false;
    });
  }

  // ---- constructs ---------------------------------------------------------------------------------------------------

  /// One atomic construct has both statements.
  bool are_captured() const {
    std::string statements[2];
    for (const std::size_t k : {0U, 1U}) {
      const Code& before = version_.unedited().code();
      if (race_.sites[k].place.file != before.file()) return false;
      statements[k] = without_blanks(before.line(race_.sites[k].place.line));
    }
    for (std::uint32_t l = 1; l <= code_.lines(); ++l) {
      const auto directive = DirectiveText::at(code_, l);
      if (!directive || !directive->is("atomic") || directive->clause("capture") == nullptr) continue;
      const auto body = directive->body(code_);
      const std::string text = body ? without_blanks(code_.text(*body)) : std::string();
      if (std::ranges::all_of(statements, [&](const std::string& one) { return text.find(one) != std::string::npos; }))
        return true;
    }
    return false;
  }

  /// In ordered constructs of one loop.
  bool are_in_order() const {
    std::uint32_t loops[2] = {0, 0};
    for (const std::size_t k : {0U, 1U}) {
      bool in_order = false;
      for (const DirectiveText& one : DirectiveText::around(code_, line(k))) {
        if (in_order && one.clause("ordered") != nullptr) {
          loops[k] = one.first_line();
          break;
        }
        in_order = in_order || one.is("ordered");
      }
    }
    return loops[0] != 0 && loops[0] == loops[1];
  }

  /// Each element of the variable that an iteration reads is of one that it has waited for, and an iteration says that
  /// it is done behind what it writes.
  bool wait_for_sources() const {
    const std::size_t writes = is_write(race_.sites[0].type) ? 0 : 1;
    const std::uint32_t reads = line(1 - writes), written = line(writes);
    std::vector<std::string> sinks;
    bool is_done_behind = false;
    for (std::uint32_t l = function_of(0).begin.line; l < function_of(0).end.line; ++l) {
      const auto directive = DirectiveText::at(code_, l);
      if (!directive || !directive->is("ordered") || !directive->stands_alone()) continue;
      for (const Clause& clause : directive->clauses()) {
        const std::string text = without_blanks(clause.arguments);
        if (text.starts_with("sink:") && l < reads) sinks.push_back(text.substr(5));
        if (text.starts_with("source")) is_done_behind = l > written && l > reads;
      }
    }
    if (sinks.empty() || !is_done_behind || !is_identifier(race_.variable)) return false;
    const std::string own = indices_of(written, true).empty() ? std::string() : indices_of(written, true).front();
    return std::ranges::all_of(indices_of(reads, false), [&](const std::string& one) {
      return one == own || std::ranges::find(sinks, one) != sinks.end();
    });
  }

  /// "i-1,j" of each element of the variable on a line, or of the first one.
  std::vector<std::string> indices_of(std::uint32_t at, bool first) const {
    std::vector<std::string> out;
    for (const Position where : code_.mentions(race_.variable, {{at, 0}, {at + 1, 0}})) {
      std::string element = without_blanks(element_at(code_, where, race_.variable));
      if (element.size() <= race_.variable.size() + 1) return {"?"};
      element = element.substr(race_.variable.size() + 1, element.size() - race_.variable.size() - 2);
      for (auto inner = element.find("]["); inner != std::string::npos; inner = element.find("]["))
        element.replace(inner, 2, ",");
      out.push_back(std::move(element));
      if (first) break;
    }
    return out;
  }

  const Diagnostic& race_;
  const Version& version_;
  const Code& code_;
  std::optional<std::uint32_t> lines_[2];
};

} // namespace

std::optional<bool> accesses_meet(const Diagnostic& race, const Version& version) {
  return Moves(race, version).happens();
}

} // namespace fletcher::reports

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The definition of a race on the graph of each possible assignment of work.
#include "answer.hpp"

#include "execution.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace fletcher::compiled {
namespace {

/// So many accesses of eight bytes are remembered; of more, one of each line, if there are so many lines.
constexpr std::size_t remembered = 4;

using Edges = std::vector<std::vector<Node>>;

std::vector<bool> reachable(const Edges& next, Node from) {
  std::vector<bool> seen(next.size());
  std::vector<Node> open{from};
  seen[from] = true;
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    for (const Node after : next[node]) {
      if (seen[after]) continue;
      seen[after] = true;
      open.push_back(after);
    }
  }
  return seen;
}

/// The accesses of one execution, by their indices, and their order.
class Order {
public:
  explicit Order(Execution execution) : execution_(std::move(execution)) {
    for (const Performed& access : accesses()) before_.push_back(reachable(execution_.next, access.node));
    if (execution_.sections.empty()) return;
    // Sections that exclude each other come one after the other in any run, this way or that way.
    const std::vector<Section>& sections = execution_.sections;
    Edges next = execution_.next;
    for (const Section& one : sections) {
      const std::vector<bool> after = reachable(execution_.next, one.first);
      for (const Section& other : sections)
        if (&one != &other && one.exclusion == other.exclusion && !after[other.first])
          next[other.last].push_back(one.first);
    }
    for (const Performed& access : accesses()) perhaps_before_.push_back(reachable(next, access.node));
  }

  const std::vector<Performed>& accesses() const { return execution_.accesses; }
  bool before(std::size_t a, std::size_t b) const { return a != b && before_[a][accesses()[b].node]; }

  bool race(std::size_t a, std::size_t b) const {
    const Performed &one = accesses()[a], &other = accesses()[b];
    if (a == b || one.access->variable != other.access->variable) return false;
    if (!writes(one.access->form) && !writes(other.access->form)) return false;
    if (atomic(one.access->form) && atomic(other.access->form)) return false;
    if (before(a, b) || before(b, a)) return false;
    return std::none_of(one.held.begin(), one.held.end(), [&](const Exclusion& e) { return other.held.contains(e); });
  }
  bool hidden_by_locks(std::size_t a, std::size_t b) const {
    return !perhaps_before_.empty() &&
           (perhaps_before_[a][accesses()[b].node] || perhaps_before_[b][accesses()[a].node]);
  }

  /// The two, and those that may stand for one of them in a checker's memory: the task's own access before, or whatever
  /// came after it or raced with it, for a race is reported once.
  std::set<std::size_t> remembered_as(std::size_t one, std::size_t other) const {
    std::set<std::size_t> all{one, other};
    std::vector<std::size_t> open{one, other};
    while (!open.empty()) {
      const std::size_t a = open.back();
      open.pop_back();
      for (std::size_t b = 0; b < accesses().size(); ++b) {
        const bool earlier = before(b, a) && accesses()[a].task == accesses()[b].task;
        if (!covers(*accesses()[b].access, *accesses()[a].access) || !(earlier || before(a, b) || race(a, b))) continue;
        if (all.insert(b).second) open.push_back(b);
      }
    }
    return all;
  }

  /// As often as they are executed: whichever executions of the two lines are remembered, they race.
  bool always_race(std::uint32_t line, std::uint32_t other) const {
    for (std::size_t a = 0; a < accesses().size(); ++a)
      for (std::size_t b = 0; b < accesses().size(); ++b)
        if (a != b && accesses()[a].access->line == line && accesses()[b].access->line == other &&
            (!race(a, b) || hidden_by_locks(a, b)))
          return false;
    return true;
  }

  std::size_t lines_of(std::uint32_t variable) const {
    std::set<std::uint32_t> lines;
    for (const Performed& access : accesses())
      if (access.access->variable == variable) lines.insert(access.access->line);
    return lines.size();
  }
  std::size_t accesses_of(std::uint32_t variable) const {
    return static_cast<std::size_t>(std::count_if(accesses().begin(), accesses().end(), [&](const Performed& access) {
      return access.access->variable == variable;
    }));
  }

private:
  static bool covers(const Construct& b, const Construct& a) {
    return a.variable == b.variable && (writes(b.form) || !writes(a.form)) && (!atomic(b.form) || atomic(a.form));
  }

  Execution execution_;
  std::vector<std::vector<bool>> before_, perhaps_before_; ///< of each access: the nodes that come after
};

LinePair lines(const Performed& a, const Performed& b) { return std::minmax(a.access->line, b.access->line); }

/// All members but the first few do the same: of these two are enough, for there are at most two units of work.
constexpr std::uint32_t unlike_members = 3, members_that_count = unlike_members + 2;

/// With every assignment of the units of work to the members.
void each_assignment(const Program& program, std::uint32_t threads, const std::function<void(const Order&)>& look) {
  std::vector<std::uint32_t> executors(execute(program, threads, {}).units);
  for (std::size_t digit = 0; digit <= executors.size();) {
    look(Order(execute(program, threads, executors)));
    for (digit = 0; digit < executors.size() && ++executors[digit] == std::min(threads, members_that_count); ++digit)
      executors[digit] = 0;
    if (digit == executors.size()) break;
  }
}

void add_races(const Program& program, std::uint32_t threads, std::map<LinePair, std::uint32_t>& races) {
  each_assignment(program, threads, [&](const Order& order) {
    for (std::size_t a = 0; a < order.accesses().size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (order.race(a, b))
          races[lines(order.accesses()[a], order.accesses()[b])] = order.accesses()[a].access->variable;
  });
}

/// Of the pairs that race in this execution, unless the order of locks hides them: what may be reported in their place.
std::map<LinePair, std::set<LinePair>> visible(const Order& order, const std::map<LinePair, std::uint32_t>& races) {
  std::map<LinePair, std::set<LinePair>> found;
  const auto& accesses = order.accesses();
  for (std::size_t a = 0; a < accesses.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (!order.race(a, b) || order.hidden_by_locks(a, b)) continue;
      const LinePair pair = lines(accesses[a], accesses[b]);
      const std::uint32_t variable = accesses[a].access->variable;
      const bool all_remembered = order.accesses_of(variable) <= remembered;
      if (!all_remembered && (order.lines_of(variable) > remembered || !order.always_race(pair.first, pair.second)))
        continue;
      std::set<LinePair>& instead = found[pair];
      if (!instead.empty()) continue; // the same lines in other tasks
      if (all_remembered) {
        const std::set<std::size_t> remembered_as = order.remembered_as(a, b);
        for (const std::size_t one : remembered_as)
          for (const std::size_t other : remembered_as) instead.insert(lines(accesses[one], accesses[other]));
      } else {
        for (const auto& [any, of] : races)
          if (of == variable) instead.insert(any);
      }
    }
  }
  return found;
}

} // namespace

Answer answer(const Program& program, std::uint32_t threads) {
  std::map<LinePair, std::uint32_t> races; // and their variables
  add_races(program, threads, races);
  if (threads < 3) add_races(program, 3, races); // any two members, and one that has no part
  std::map<LinePair, std::set<LinePair>> always;
  bool first = true;
  each_assignment(program, threads, [&](const Order& order) {
    auto now = visible(order, races);
    if (std::exchange(first, false)) {
      always = std::move(now);
      return;
    }
    std::erase_if(always, [&](const auto& entry) { return !now.contains(entry.first); });
    for (auto& [pair, instead] : always) instead.merge(now[pair]);
  });

  Answer answer;
  for (const auto& [pair, variable] : races) answer.races.insert(pair);
  for (auto& [pair, instead] : always) answer.required.push_back(std::move(instead));
  return answer;
}

} // namespace fletcher::compiled

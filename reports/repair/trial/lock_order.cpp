// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph of the locks that the tasks of a finding take while they hold others, and whether it has a circle.
#include "reports/repair/source/calls/lock_acts.hpp"
#include "reports/repair/source/calls/lock_call.hpp"
#include "reports/repair/trial/versions.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

namespace fletcher::reports {
namespace {

/// One of the tasks: what it waits for, and what it holds meanwhile.
struct Taker {
  const TracedStep* wanted = nullptr;
  const TracedStep* held = nullptr;
  bool by_waiter = false; ///< the task that waits for it holds the lock
};

bool says(const TracedStep& step, std::string_view words) { return step.message.find(words) != std::string::npos; }

/// `steps` are as they were reported: of a deadlock that came about, each waits for a lock, and behind that it says
/// where the next one acquired it.
std::vector<Taker> takers_of(std::vector<TracedStep>& steps, Rule rule) {
  std::vector<Taker> out;
  for (std::size_t i = 0; i + 1 < steps.size(); i += 2) {
    if (rule == Rule::lock_order_cycle) {
      out.push_back({&steps[i], &steps[i + 1], says(steps[i + 1], "the task that waits for it holds")});
      continue;
    }
    if (!says(steps[i + 1], "acquired it here") || steps.size() % 2 != 0) return {};
    steps[i + 1].lock = steps[i].lock;
    out.push_back({&steps[(i + 2) % steps.size()], &steps[i + 1], false});
  }
  return out;
}

const std::vector<std::string_view> words{"lock"};

/// What a task's words for locks mean: the names that the run found for them.
using Names = std::map<std::string, std::string>;

/// Two elements of one array.
bool are_of_one_array(const std::string& a, const std::string& b) {
  const auto array = [](const std::string& name) { return name.substr(0, name.rfind('\'')); };
  return array(a) == array(b) && !array(a).empty();
}

/// Of two elements of one array.
bool is_before(const std::string& a, const std::string& b) {
  const auto offset = [](const std::string& name) {
    const auto plus = name.find("' + ");
    return plus == std::string::npos ? 0UL : std::stoul(name.substr(plus + 4));
  };
  return offset(a) < offset(b);
}

class LockGraph {
public:
  LockGraph(const Version& version) : version_(version) {}

  /// Nothing where the text does not tell.
  bool add(const Taker& taker) {
    const Version before = version_.unedited();
    Names names;
    for (const TracedStep* const step : {taker.wanted, taker.held})
      if (!name(*step, before, names)) return false;
    if (taker.by_waiter) return add_wait(taker, names);
    if (are_taken_together(*taker.wanted, *taker.held)) return true;
    const auto wanted = version_.route(*taker.wanted), held = version_.route(*taker.held);
    if (!wanted || !held) return false;
    return add_way(*wanted, *held, names) && add_way(*held, *wanted, names);
  }

  bool has_circle() const {
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
    std::map<std::string, std::size_t> index;
    for (const auto& [from, to] : edges_)
      for (const std::string* const lock : {&from, &to}) index.try_emplace(*lock, index.size());
    Graph graph(index.size());
    for (const auto& [from, to] : edges_) boost::add_edge(index.at(from), index.at(to), graph);
    std::vector<int> component(index.size());
    return boost::strong_components(graph, component.data()) < static_cast<int>(index.size());
  }

private:
  /// One guard has both locks: it waits for none while it holds the other.
  bool are_taken_together(const TracedStep& wanted, const TracedStep& held) const {
    const Code& before = version_.unedited().code();
    if (wanted.place.file != before.file() || held.place.file != before.file()) return false;
    const std::string first = guarded_mutex(before.line(held.place.line)),
                      second = guarded_mutex(before.line(wanted.place.line));
    const auto now = version_.line(std::min(held.place.line, wanted.place.line));
    if (first.empty() || second.empty() || !now) return false;
    const std::vector<std::string> both = guarded_together(version_.code().line(*now));
    return std::ranges::find(both, first) != both.end() && std::ranges::find(both, second) != both.end();
  }

  static bool name(const TracedStep& step, const Version& before, Names& names) {
    const auto route = before.route(step);
    const auto found = route ? before.ways(*route, {}, words) : std::nullopt;
    if (!found) return false;
    for (const Way& way : *found) {
      const auto lock = lock_at_end(way);
      if (!lock) return false;
      const bool is_critical = lock->starts_with("critical "); // that name is in the text, and the words name another
      if (!step.lock.empty() && !is_critical) names[*lock] = step.lock;
    }
    return !found->empty();
  }

  /// The lock by its name, where the words for it are known: also those that choose between two. Nothing where they
  /// compare addresses of which the run does not say which one is smaller.
  static std::optional<std::string> node(const std::string& lock, const Names& names) {
    if (const auto known = names.find(lock); known != names.end()) return known->second;
    static const std::regex choice(R"(^(.*\[)(\w+)<(\w+)\?(\w+):(\w+)(\].*)$)"),
        by_address(R"(^(\w+)<(\w+)\?(&\w+->\w+):(&\w+->\w+)$)");
    std::smatch match;
    if (std::regex_match(lock, match, by_address)) {
      const std::string member = match[3].str().substr(match[3].str().find("->"));
      const auto first = names.find("&" + match[1].str() + member), second = names.find("&" + match[2].str() + member);
      if (first == names.end() || second == names.end() || !are_of_one_array(first->second, second->second))
        return std::nullopt;
      const auto chosen = names.find(match[is_before(first->second, second->second) ? 3 : 4].str());
      return chosen == names.end() ? std::nullopt : std::optional(chosen->second);
    }
    if (!std::regex_match(lock, match, choice)) return lock;
    const auto element = [&](int k) { return names.find(match[1].str() + match[k].str() + match[6].str()); };
    const auto first = element(2), second = element(3);
    if (first == names.end() || second == names.end()) return lock;
    const auto chosen = element(is_before(first->second, second->second) ? 4 : 5);
    return chosen == names.end() ? lock : chosen->second;
  }

  bool add_way(const Route& to, const Route& other, const Names& names) {
    const auto found = version_.ways(to, {other}, words);
    if (!found || found->empty()) return false;
    for (const Way& way : *found) {
      const auto lock = lock_at_end(way);
      if (!lock) return false;
      for (const std::string& held : locks_held(way).held) {
        if (held == *lock) continue;
        const auto from = node(held, names), wanted_lock = node(*lock, names);
        if (!from || !wanted_lock) return false;
        edges_.emplace(*from, *wanted_lock);
      }
    }
    return true;
  }

  bool add_wait(const Taker& taker, const Names& names) {
    const auto wanted = version_.route(*taker.wanted), held = version_.route(*taker.held);
    const auto then = wanted ? version_.ways(*wanted, {}, words) : std::nullopt;
    const auto first = held ? version_.ways(*held, {}, words) : std::nullopt;
    if (!then || !first || then->empty() || first->empty()) return false;
    const auto from = lock_at_end(first->front()), to = lock_at_end(then->front());
    if (!from || !to) return false;
    const auto first_lock = node(*from, names), then_lock = node(*to, names);
    if (!first_lock || !then_lock) return false;
    edges_.emplace(*first_lock, *then_lock);
    return true;
  }

  const Version& version_;
  std::set<std::pair<std::string, std::string>> edges_;
};

} // namespace

std::optional<bool> locks_make_a_circle(const Diagnostic& finding, const Version& version) {
  std::vector<TracedStep> steps = steps_of(finding);
  const std::vector<Taker> takers = takers_of(steps, finding.rule);
  if (takers.size() < 2) return std::nullopt;
  LockGraph graph(version);
  for (const Taker& taker : takers)
    if (!graph.add(taker)) return std::nullopt;
  return graph.has_circle();
}

} // namespace fletcher::reports

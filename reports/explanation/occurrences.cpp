// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/explanation/occurrences.hpp"

#include "reports/document/words.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace fletcher::reports {

namespace {

constexpr std::size_t most_programs = 3;

std::string command(const Run& run) {
  std::string text = run.program.substr(run.program.rfind('/') + 1);
  for (const std::string& argument : run.arguments) text += " " + argument;
  return one_line(text);
}

std::string thread_words(const std::vector<std::uint64_t>& numbers) {
  if (numbers.empty()) return {};
  const std::string words = ranges(numbers);
  return words + (words == "1" ? " thread" : " threads");
}

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

} // namespace

std::string ranges(std::vector<std::uint64_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::string out;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!out.empty()) out += ", ";
    out += std::to_string(numbers[i]);
    if (last != i) out += (last == i + 1 ? ", " : "-") + std::to_string(numbers[last]);
    i = last + 1;
  }
  return out;
}

namespace {

std::string with_threads(const std::vector<std::uint64_t>& threads) {
  const std::string with = thread_words(threads);
  return with.empty() ? with : ", with " + with;
}

/// Of runs that differ in how they were started.
std::string seen_in(const Diagnostic& diagnostic, const std::vector<Run>& runs) {
  std::set<std::string> all, seen;
  std::vector<std::uint64_t> threads;
  for (const Run& run : runs) all.insert(run.command);
  for (const std::uint32_t i : diagnostic.runs) {
    seen.insert(runs[i].command);
    if (runs[i].threads != 0) threads.push_back(runs[i].threads);
  }
  return "seen in " + std::to_string(seen.size()) + " of " + plural(all.size(), "run") + with_threads(threads) +
         ", first by: " + one_line(runs[diagnostic.runs.front()].command);
}

} // namespace

std::string seen_by(const Diagnostic& diagnostic, const std::vector<Run>& runs) {
  if (!diagnostic.runs.empty() && !runs[diagnostic.runs.front()].command.empty()) return seen_in(diagnostic, runs);
  if (runs.size() < 2 || diagnostic.runs.empty()) return {};
  std::vector<std::uint64_t> ranks, threads;
  std::vector<std::string> programs;
  for (const std::uint32_t i : diagnostic.runs) {
    const Run& run = runs[i];
    if (run.rank) ranks.push_back(static_cast<std::uint64_t>(*run.rank));
    if (run.threads != 0) threads.push_back(run.threads);
    add_once(programs, command(run));
  }
  std::string out;
  if (ranks.size() == diagnostic.runs.size()) {
    const std::string words = ranges(ranks);
    out = std::string("seen by ") + (ranks.size() == 1 ? "rank " : "ranks ") + words + " of " +
          std::to_string(runs.size()) + " processes";
  } else {
    out = "seen by " + std::to_string(diagnostic.runs.size()) + " of " + std::to_string(runs.size()) + " processes: ";
    for (std::size_t i = 0; i < std::min(programs.size(), most_programs); ++i)
      out += (i == 0 ? "" : ", ") + programs[i];
    if (programs.size() > most_programs) out += " and " + std::to_string(programs.size() - most_programs) + " more";
  }
  return out + with_threads(threads);
}

std::vector<RunGroup> grouped(const std::vector<Run>& runs) {
  using Key = std::tuple<std::string, std::vector<std::string>, std::string, Level>;
  std::map<Key, std::size_t> places;
  std::vector<RunGroup> out;
  std::vector<std::vector<std::uint64_t>> ranks, threads;
  for (const Run& run : runs) {
    const auto [place, fresh] =
        places.try_emplace({run.program, run.arguments, run.tool_version, run.level}, out.size());
    if (fresh) {
      out.push_back({&run, 0, {}, {}, {}});
      ranks.emplace_back();
      threads.emplace_back();
    }
    RunGroup& group = out[place->second];
    ++group.processes;
    if (run.threads != 0) threads[place->second].push_back(run.threads);
    if (run.rank) ranks[place->second].push_back(static_cast<std::uint64_t>(*run.rank));
    for (const std::string& note : run.notes) add_once(group.notes, note);
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].threads = thread_words(threads[i]);
    if (ranks[i].size() == 1)
      out[i].ranks = rank_words(static_cast<int>(ranks[i].front()));
    else if (!ranks[i].empty())
      out[i].ranks = "ranks " + ranges(ranks[i]) + " of MPI_COMM_WORLD";
  }
  return out;
}

} // namespace fletcher::reports

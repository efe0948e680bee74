// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cli/exploration.hpp"

#include "reports/document/words.hpp"
#include "tools/cli/shell_word.hpp"
#include "tools/common/installation.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sys/stat.h>
#include <unistd.h>

namespace fletcher::cli {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// A file that standard input was directed from: each run reads it from its beginning. Empty: there is none.
fs::path input_file() {
  struct stat about{};
  if (::fstat(STDIN_FILENO, &about) != 0 || !S_ISREG(about.st_mode)) return {};
  std::error_code ignored;
  return fs::read_symlink("/proc/self/fd/0", ignored);
}

bool ends_programs(Rule rule) noexcept {
  return rule == Rule::dependence_cycle || rule == Rule::barrier_mismatch || rule == Rule::lock_misuse;
}

std::string options_of(const std::string& more, std::uint32_t delay) {
  if (delay == 0) return more;
  return more + (more.empty() ? "" : " ") + "delay=" + std::to_string(delay);
}

} // namespace

std::optional<Ended> Exploration::run(const Variation& variation) const {
  std::error_code ignored;
  fs::create_directories(folder(runs_), ignored);
  Launch launch;
  launch.words = {(tools::find_installation().binaries / "fletcher").string(), "run", "--collect",
                  folder(runs_).string()};
  if (const std::string options = options_of(options_.options, variation.delay); !options.empty()) {
    launch.words.emplace_back("--options");
    launch.words.push_back(options);
  }
  launch.words.emplace_back("--");
  launch.words.insert(launch.words.end(), options_.command.begin(), options_.command.end());
  launch.environment = variation.environment;
  launch.output = output(runs_);
  if (const fs::path input = input_file(); !input.empty()) launch.input = input;
  constexpr double times = 10, least = 60;
  launch.limit = options_.limit;
  if (!launch.limit)
    launch.limit = runs_ == 0 ? options_.time
                              : std::chrono::seconds(static_cast<long>(std::ceil(least + times * first_.time.count())));
  launch.grace = std::chrono::seconds(20); // for the report
  launch.interrupted = options_.interrupted;
  return run_child(launch);
}

std::string Exploration::shown_command(const Variation& variation) const {
  std::string out;
  for (const auto& [name, value] : variation.environment) out.append(name).append("=").append(value).append(" ");
  out += "fletcher run";
  if (const std::string options = options_of(options_.options, variation.delay); !options.empty())
    out += " --options " + shell_word(options);
  out += " --";
  for (const std::string& word : options_.command) out += " " + shell_word(word);
  if (const fs::path input = input_file(); !input.empty()) out += " < " + shell_word(input.string());
  return out;
}

std::optional<Exploration::Learned> Exploration::learn(const std::string& command) {
  std::vector<std::string> documents;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder(runs_), ignored))
    if (entry.path().extension() == ".json") documents.push_back(entry.path().string());
  if (documents.empty()) return std::nullopt;
  std::sort(documents.begin(), documents.end());
  const std::size_t before = documents_;
  for (const std::string& document : documents) documents_ += found_.add(document, command) ? 1 : 0;
  Learned out;
  for (const reports::Diagnostic& one : found_.findings()) {
    if (one.counts() && known_.insert(one.fingerprint).second) out.fresh = true;
    if (!one.runs.empty() && one.runs.back() >= before && ends_programs(one.rule)) out.deadlock = true;
  }
  return out;
}

void Exploration::remember(const Ended& ended, const std::string& command) {
  if (ended.status == first_.status && !ended.timed_out) return;
  const auto same = std::find_if(ends_.begin(), ends_.end(), [&](const OtherEnd& one) {
    return one.timed_out == ended.timed_out && (ended.timed_out || one.status == ended.status);
  });
  if (same != ends_.end())
    ++same->runs;
  else
    ends_.push_back({ended.status, ended.timed_out, 1, command});
}

void Exploration::show(const Variation& variation) const {
  std::string line = "fletcher: run " + std::to_string(runs_ + 1) + ", " + reports::plural(known_.size(), "finding");
  if (without_news_ > 0)
    line += ", nothing new in " + std::to_string(without_news_) + " of " + reports::plural(options_.patience, "run");
  const char* separator = ": ";
  for (const auto& [name, value] : variation.environment) {
    line += separator + name + "=" + value;
    separator = " ";
  }
  std::cerr << "\r\033[K" << line.substr(0, 79) << std::flush;
}

Exploration::Stop Exploration::explore() {
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  const auto begin = Clock::now();
  Stop stop = Stop::runs;
  for (; runs_ < options_.most_runs; ++runs_) {
    if (runs_ > 0 && Clock::now() - begin >= options_.time) {
      stop = Stop::time;
      break;
    }
    if (without_news_ >= options_.patience) {
      stop = Stop::nothing_new;
      break;
    }
    const Variation now = variation(runs_, options_.ranges);
    const std::string command = shown_command(now);
    if (terminal) show(now);
    const auto ended = run(now);
    if (runs_ == 0 && ended) first_ = *ended;
    const auto learned = ended ? learn(command) : std::nullopt;
    if (options_.interrupted->load()) {
      stop = Stop::interrupted;
      ++runs_; // what it found is in the report
      break;
    }
    if (runs_ == 0 && !learned) {
      stop = Stop::nothing_checked;
      break;
    }
    if (ended && !(learned && learned->deadlock)) remember(*ended, command);
    without_news_ = learned && learned->fresh ? 0 : without_news_ + 1;
  }
  if (terminal) std::cerr << "\r\033[K" << std::flush;
  return stop;
}

} // namespace fletcher::cli

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `fletcher explore`: runs a program again and again, each time in another way, and makes one report of what the runs
// found. Each finding names a command that shows it.

#include "reports/document/words.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/exploration.hpp"
#include "tools/cli/helpers.hpp"
#include "tools/cli/own_folder.hpp"
#include "tools/cli/say.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

namespace fletcher::cli {

namespace {

namespace fs = std::filesystem;

constexpr int cannot_work = 2;

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free); // a signal handler sets it

class Explore final : public Command {
public:
  CLI::App* declare(CLI::App& app) override {
    CLI::App* const explore = app.add_subcommand(
        "explore",
        "Run a program many times with different numbers of threads, schedules and orders, and report all findings");
    explore->add_option("--runs", runs_, "Run the program at most this many times")
        ->capture_default_str()
        ->check(CLI::Range(1, 1 << 20));
    explore->add_option("--time", time_, "Start no new run after this many seconds")
        ->capture_default_str()
        ->check(CLI::Range(1, 1 << 30));
    explore->add_option("--patience", patience_, "Stop after this many runs that found nothing new")
        ->capture_default_str()
        ->check(CLI::Range(1, 1 << 20));
    explore
        ->add_option("--limit", limit_, "End a run after this many seconds; default: ten times the first run plus 60")
        ->check(CLI::Range(1, 1 << 30));
    explore->add_option("--threads", threads_, "The numbers of threads to try: 2,4,8")
        ->delimiter(',')
        ->check(CLI::Range(1, 1 << 16));
    explore->add_option("--seed", seed_, "The first seed of the orders of locks and tasks")
        ->capture_default_str()
        ->check(CLI::Range(1, 1 << 30));
    explore->add_option("--keep", keep_, "Keep each run's document and output in this folder");
    explore->add_option("--text", render_.text, "Write the text to this file as well");
    explore->add_option("--sarif", render_.sarif, "Write a SARIF 2.1.0 report to this file");
    explore->add_option("--html", render_.html, "Write a web page with the findings to this file");
    explore->add_option("--suppressions", render_.suppressions, "File that lists findings not to report");
    explore->add_option("--baseline", render_.baseline, "SARIF file of an earlier run: its findings are not new");
    explore->add_option("--exitcode", exitcode_, "Exit status if an error was found; 0: the program's own")
        ->capture_default_str()
        ->check(CLI::Range(0, 255));
    explore->add_option("--options", options_, "More options, as in FLETCHER_OPTIONS: \"key=value key=value\"");
    explore->footer("\nUsage: fletcher explore [OPTIONS] -- PROGRAM [ARGUMENTS]");
    return explore;
  }

  int run(const std::vector<std::string>& program) override {
    if (program.empty()) return refuse("no program given: fletcher explore [OPTIONS] -- PROGRAM [ARGUMENTS]");
    const OwnFolder own("fletcher-explore");
    const fs::path folder = keep_.empty() ? own.path() : fs::absolute(keep_);
    std::error_code error;
    if (!keep_.empty()) fs::create_directories(folder, error);
    if (folder.empty() || error) return refuse("cannot make a folder for the runs' documents");
    if (!keep_.empty() && !fs::is_empty(folder)) return refuse("the folder '" + keep_ + "' is not empty");

    render_.verbose = true; // that nothing was found is an answer, too
    render_.status_tells_errors = true;
    render_.says_steps = false;
    add_helpers(render_);
    reports::Accumulation found(render_);
    ExplorationOptions options;
    options.command = program;
    options.options = options_;
    options.ranges.threads = threads_.empty() ? usual_threads(std::thread::hardware_concurrency()) : threads_;
    options.ranges.only_these = !threads_.empty();
    options.ranges.seed = seed_;
    options.most_runs = runs_;
    options.patience = patience_;
    options.time = std::chrono::seconds(time_);
    if (limit_ != 0) options.limit = std::chrono::seconds(limit_);
    options.folder = folder;
    options.interrupted = &interrupted;
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { interrupted = true; });
    Exploration exploration(options, found);
    const Exploration::Stop stop = exploration.explore();
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL); // a second one ends the report, too
    if (stop == Exploration::Stop::nothing_checked) return nothing_checked(exploration);
    return summarise(exploration, stop, found.write());
  }

private:
  static int refuse(const std::string& why) {
    say("explore: " + why);
    return cannot_work;
  }

  static int nothing_checked(const Exploration& exploration) {
    std::ifstream output(exploration.output(0));
    if (output.peek() != std::ifstream::traits_type::eof()) std::cerr << output.rdbuf();
    const int status = exploration.first_status();
    say("explore: nothing was checked: the program ended with status " + std::to_string(status));
    return status != 0 ? status : cannot_work;
  }

  static std::string reason(Exploration::Stop stop, std::size_t patience) {
    switch (stop) {
    case Exploration::Stop::nothing_new:
      return "nothing new was found in the last " + reports::plural(patience, "run");
    case Exploration::Stop::time:
      return "the time is up (--time)";
    case Exploration::Stop::interrupted:
      return "interrupted";
    case Exploration::Stop::runs:
    case Exploration::Stop::nothing_checked:
      break;
    }
    return "the number of runs was reached (--runs)";
  }

  int summarise(const Exploration& exploration, Exploration::Stop stop, int written) const {
    int status = exploration.first_status();
    for (const OtherEnd& end : exploration.other_ends()) {
      if (status == 0) status = end.status;
      std::string how = "did not end in time";
      if (!end.timed_out) {
        how = "ended with status " + std::to_string(end.status);
        if (end.status > 128) how += std::string(" (") + ::strsignal(end.status - 128) + ")";
      }
      say(reports::plural(end.runs, "run") + " " + how + ", the first of them: " + end.command);
    }
    say("explored " + reports::plural(exploration.runs(), "run") + ": " + reason(stop, patience_));
    if (written == reports::render_failed) return cannot_work;
    if (written == reports::render_errors && exitcode_ != 0) return exitcode_;
    return status;
  }

  std::size_t runs_ = 100, patience_ = 12;
  long time_ = 600, limit_ = 0;
  std::uint32_t seed_ = 1;
  int exitcode_ = 66;
  std::vector<unsigned> threads_;
  std::string keep_, options_;
  reports::RenderOptions render_;
};

} // namespace

std::unique_ptr<Command> make_explore() { return std::make_unique<Explore>(); }

} // namespace fletcher::cli

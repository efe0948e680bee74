// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `fletcher fix`: makes the edits that a run's findings have, builds, runs again and keeps what helped. Says in the end
// what was changed, and what is left for a person.

#include "reports/document/words.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/own_folder.hpp"
#include "tools/cli/repair_session.hpp"
#include "tools/cli/say.hpp"
#include "tools/cli/shell_word.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace fletcher::cli {

namespace {

namespace fs = std::filesystem;

constexpr int something_left = 1;
constexpr int cannot_work = 2;

class Fix final : public Command {
public:
  CLI::App* declare(CLI::App& app) override {
    CLI::App* const fix =
        app.add_subcommand("fix", "Run a program, apply the edits of its findings, and keep those that help");
    fix->add_option("--build", build_, "Shell command that builds the program: \"make -j\"");
    fix->add_flag("--dry-run", dry_run_, "Only show the edits, as a diff");
    fix->add_flag("--force", force_, "Run even if git has uncommitted changes");
    fix->add_option("--source-root", root_, "Change only files in this folder; default: the current one");
    fix->add_option("--suppressions", suppressions_, "File that lists findings not to report");
    fix->footer("\nUsage: fletcher fix [--dry-run] [--build COMMAND] -- PROGRAM [ARGUMENTS]");
    return fix;
  }

  int run(const std::vector<std::string>& program) override {
    if (program.empty()) return refuse("no program given: fletcher fix [OPTIONS] -- PROGRAM [ARGUMENTS]");
    if (build_.empty() && !dry_run_)
      return refuse("no build command given: add --build \"make\"; or look at the edits with --dry-run");
    std::error_code error;
    const fs::path root = fs::canonical(root_.empty() ? fs::path(".") : fs::path(root_), error);
    if (error) return refuse("there is no folder '" + root_ + "'");
    if (!dry_run_ && !force_ && has_changes(root))
      return refuse("git has changes below '" + root.string() +
                    "' that are not committed; --force changes the files nevertheless");
    const OwnFolder folder("fletcher-fix");
    if (folder.path().empty()) return refuse("cannot make a temporary folder");
    RepairSession session({root, build_, program, suppressions_}, folder.path());
    if (const auto problem = session.begin()) {
      show_log(folder.path());
      return refuse(*problem);
    }
    if (dry_run_) {
      std::cout << session.difference();
      return session.left().empty() ? 0 : something_left;
    }
    session.repair();
    return summarise(session);
  }

private:
  static int refuse(const std::string& why) {
    say("fix: " + why);
    return cannot_work;
  }

  static bool has_changes(const fs::path& root) {
    const std::string command = "test -z \"$(git -C " + shell_word(root.string()) +
                                " status --porcelain --untracked-files=no -- . 2>/dev/null)\"";
    return std::system(command.c_str()) != 0;
  }

  /// What the first build or run printed.
  static void show_log(const fs::path& folder) {
    for (const char* const name : {"build.log", "run.log"}) {
      std::ifstream log(folder / name);
      if (log.peek() != std::ifstream::traits_type::eof()) std::cerr << log.rdbuf();
    }
  }

  static int summarise(const RepairSession& session) {
    for (const Trial& one : session.trials())
      std::cout << one.place << ": " << (one.kept ? "changed: " : "taken back: ") << one.change
                << (one.reason.empty() ? "" : " (" + one.reason + ")") << '\n';
    for (const reports::Diagnostic& one : session.left())
      std::cout << session.shown(one.place) << ": left: " << one.message << '\n';
    const auto kept = static_cast<std::uint64_t>(
        std::count_if(session.trials().begin(), session.trials().end(), [](const Trial& one) { return one.kept; }));
    std::cout << "fletcher: " << reports::plural(session.found(), "finding") << ", " << reports::plural(kept, "change")
              << " kept, " << reports::plural(session.left().size(), "finding") << " left\n";
    return session.left().empty() ? 0 : something_left;
  }

  std::string build_, root_, suppressions_;
  bool dry_run_ = false, force_ = false;
};

} // namespace

std::unique_ptr<Command> make_fix() { return std::make_unique<Fix>(); }

} // namespace fletcher::cli

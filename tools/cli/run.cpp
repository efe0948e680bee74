// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `fletcher run`: sets the environment in which a program is checked and becomes the program, so that signals, exit
// status and terminal are the program's own. Relies on the library for everything that happens afterwards.

#include "tools/cli/command.hpp"
#include "tools/cli/program_file.hpp"
#include "tools/cli/say.hpp"
#include "tools/common/installation.hpp"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>
#include <unistd.h>

namespace fletcher::cli {

namespace {

namespace fs = std::filesystem;

constexpr int broken_installation = 2;
constexpr int cannot_run = 126;
constexpr int not_found = 127;

void set(const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); }

/// Puts `front` before what the variable holds.
void prepend(const char* name, const std::string& front, const char* separator) {
  const std::string old = tools::environment(name);
  set(name, old.empty() ? front : front + separator + old);
}

/// key=value for a list of options, unless the user gave the key a value.
void set_option_if_unset(const char* name, const std::string& key, const std::string& value) {
  const std::string old = tools::environment(name);
  if (old.find(key + "=") == std::string::npos)
    set(name, old.empty() ? key + "=" + value : old + " " + key + "=" + value);
}

/// A value as FLETCHER_OPTIONS reads it: in quotes.
std::string in_quotes(const std::string& value) {
  std::string result = "'";
  for (const char c : value) result += c == '\'' ? std::string("'\"'\"'") : std::string(1, c);
  return result + "'";
}

/// The program may change its folder before the report is written.
std::string absolute(const std::string& path) { return fs::absolute(path).string(); }

class Run final : public Command {
public:
  CLI::App* declare(CLI::App& app) override {
    app_ = app.add_subcommand("run", "Run a program and check it");
    app_->add_option("--sarif", sarif_, "Write a SARIF 2.1.0 report to this file");
    app_->add_option("--html", html_, "Write a web page with the findings and their tasks drawn to this file");
    app_->add_option("--text", text_, "Write the text report to this file as well");
    app_->add_option("--graph", graph_, "Write the task graph to this file: .html, .json, .dot or .graphml");
    app_->add_option("--collect", collect_,
                     "Write the findings to this folder, for 'fletcher merge', and keep the exit status");
    app_->add_flag("--advise", advise_,
                   "Also report what this run did not need, as notes that do not change the exit status");
    app_->add_option("--threads", threads_, "Run with this many threads (OMP_NUM_THREADS)")
        ->check(CLI::Range(1, 1 << 16));
    app_->add_option("--exitcode", exitcode_, "Exit status if an error was found; 0: the program's own")
        ->check(CLI::Range(0, 255));
    app_->add_option("--options", options_, "More options, as in FLETCHER_OPTIONS: \"key=value key=value\"");
    app_->prefix_command();
    app_->footer("\nUsage: fletcher run [OPTIONS] -- PROGRAM [ARGUMENTS]");
    return app_;
  }

  int run(const std::vector<std::string>& program) override {
    std::vector<std::string> words = app_->remaining();
    if (words.empty())
      words = program;
    else if (words.front().starts_with('-')) {
      say("run: unknown option '" + words.front() + "' (fletcher run --help lists all)");
      return broken_installation;
    } else if (!program.empty()) { // a "--" among the program's own arguments
      words.emplace_back("--");
      words.insert(words.end(), program.begin(), program.end());
    }
    if (words.empty()) {
      say("run: no program given: fletcher run [OPTIONS] -- PROGRAM [ARGUMENTS]");
      return broken_installation;
    }
    return become(words);
  }

private:
  int become(const std::vector<std::string>& words) const {
    const std::string& name = words.front();
    const auto file = tools::find_program(name);
    if (!file) {
      const bool here = name.find('/') == std::string::npos && ::access(name.c_str(), X_OK) == 0;
      say("cannot run '" + name + "': no such program" + (here ? "; did you mean ./" + name + "?" : ""));
      return not_found;
    }
    if (fs::is_directory(*file) || ::access(file->c_str(), X_OK) != 0) {
      say("cannot run '" + name + "': " + (fs::is_directory(*file) ? "it is a folder" : "it is not executable"));
      return cannot_run;
    }
    const tools::Installation installation = tools::find_installation();
    if (installation.library.empty()) {
      say("libfletcher.so is not in '" + installation.libraries.string() + "'");
      return broken_installation;
    }
    set_options();
    prepare(*file, installation);
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::execvp(file->c_str(), argv.data());
    const int error = errno;
    say("cannot run '" + name + "': " + std::strerror(error));
    return error == ENOENT ? not_found : cannot_run;
  }

  void set_options() const {
    std::string options = tools::environment("FLETCHER_OPTIONS");
    const auto add = [&](const std::string& item) { options += (options.empty() ? "" : " ") + item; };
    if (!options_.empty()) add(options_);
    if (!sarif_.empty()) add("sarif=" + in_quotes(absolute(sarif_)));
    if (!html_.empty()) add("html=" + in_quotes(absolute(html_)));
    if (!collect_.empty()) add("collect=" + in_quotes(absolute(collect_)));
    if (!graph_.empty()) add("graph=" + in_quotes(absolute(graph_)));
    if (advise_) add("advise=1");
    if (!text_.empty()) add("text=" + in_quotes(absolute(text_)));
    if (exitcode_) add("exitcode=" + std::to_string(*exitcode_));
    if (!options.empty()) set("FLETCHER_OPTIONS", options);
    if (threads_) set("OMP_NUM_THREADS", std::to_string(*threads_));
    set("OMP_TOOL", "enabled"); // who asks for a check means it
  }

  /// What is set here holds for all processes that the program starts, too: each of them looks at its start whether it
  /// fits (lib/tool/process/preloads.cpp). Only what keeps the library out altogether is said here.
  static void prepare(const fs::path& file, const tools::Installation& installation) {
    const ProgramFile program = inspect(file);
    if (const std::string obstacle = obstacle_to_loading(program, file); !obstacle.empty())
      say(file.filename().string() + " " + obstacle + ": no library can be loaded into it, so nothing is checked");
    set("FLETCHER_RUN_PID", std::to_string(::getpid())); // exec keeps it
    std::string preloads = installation.library.string();
    // LLVM's runtime answers the calls that gcc's compilers make, also of libraries that are loaded later. A program
    // that has it keeps its own, which may be a newer one.
    if (const auto libomp = tools::find_libomp()) {
      set("FLETCHER_RUN_LIBOMP", libomp->string());
      if (!program.loads_libomp || program.loads_libgomp) preloads += ":" + libomp->string();
    }
    if (preloads.find(' ') != std::string::npos)
      say("the dynamic linker accepts no path with a space: '" + preloads + "'");
    prepend("LD_PRELOAD", preloads, ":");
    ignore_runtime(installation);
    // ThreadSanitizer: the threads that the runtime keeps, a second of waiting for races at the end, and a forked child
    // that starts a thread, which it would end.
    // AddressSanitizer would end a program where a library stands before it.
    for (const auto& [option, value] :
         {std::pair{"report_thread_leaks", "0"}, {"atexit_sleep_ms", "0"}, {"die_after_fork", "0"}})
      set_option_if_unset("TSAN_OPTIONS", option, value);
    set_option_if_unset("ASAN_OPTIONS", "verify_asan_link_order", "0");
    answer_quietly(installation);
  }

  /// ThreadSanitizer asks llvm-symbolizer for names as soon as two accesses race, also where that turns out to be no
  /// finding. LLVM's own writes to the program's standard error what it does not find, such as a file of a stack.
  static void answer_quietly(const tools::Installation& installation) {
    const std::string symbolizer = installation.symbolizer.string();
    if (!symbolizer.empty() && can_stand_in_list(symbolizer))
      set_option_if_unset("TSAN_OPTIONS", "external_symbolizer_path", symbolizer);
  }

  /// Of the sanitizers' options.
  static bool can_stand_in_list(const std::string& value) {
    return value.find_first_of(" :,'\"%") == std::string::npos;
  }

  /// What OpenMP's runtime does is nothing to ThreadSanitizer. The option that says so of all libraries makes it pass
  /// by the program's own calls of memcpy, free and the like, too; a list of suppressions does not, but there can be
  /// one only.
  static void ignore_runtime(const tools::Installation& installation) {
    constexpr const char* libraries = "ignore_noninstrumented_modules";
    const std::string options = tools::environment("TSAN_OPTIONS");
    const auto is_set = [&](const char* option) { return options.find(option) != std::string::npos; };
    const std::string list = installation.tsan_suppressions.string();
    const bool by_list = !list.empty() && can_stand_in_list(list);
    if (by_list && !is_set("suppressions") && !is_set(libraries))
      set_option_if_unset("TSAN_OPTIONS", "suppressions", list);
    else
      set_option_if_unset("TSAN_OPTIONS", libraries, "1");
  }

  /// Empty: there is none.
  static std::string obstacle_to_loading(const ProgramFile& program, const fs::path& file) {
    if (!program.elf) return {};
    if (!program.same_machine) return "is built for another processor";
    if (program.interpreter.empty()) return "is statically linked";
    return gains_rights(file) ? "gets rights that its user does not have (set-user-id, set-group-id or capabilities)"
                              : "";
  }

  CLI::App* app_ = nullptr;
  bool advise_ = false;
  std::string sarif_, html_, text_, graph_, collect_, options_;
  std::optional<int> threads_, exitcode_;
};

} // namespace

std::unique_ptr<Command> make_run() { return std::make_unique<Run>(); }

} // namespace fletcher::cli

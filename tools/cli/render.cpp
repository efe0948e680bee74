// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `fletcher render`: turns the documents that checked processes leave into text, SARIF and a web page. The library
// starts it at the end of a run; a person can do so with documents that were kept. Relies on reports/ for all of it.

#include "tools/cli/command.hpp"

#include "reports/render.hpp"
#include "tools/cli/helpers.hpp"

#include <CLI/CLI.hpp>

#include <csignal>
#include <map>

namespace fletcher::cli {

namespace {

/// The library starts this with all signals blocked: those that came until now were meant for the checked program.
void drop_pending_signals() {
  sigset_t pending, none;
  sigpending(&pending);
  for (int signal = 1; signal < SIGRTMIN; ++signal) {
    if (sigismember(&pending, signal) != 1) continue;
    std::signal(signal, SIG_IGN);
    std::signal(signal, SIG_DFL);
  }
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

class Render final : public Command {
public:
  CLI::App* declare(CLI::App& app) override {
    CLI::App* render = app.add_subcommand("render", "Turn the document of a run into text and report files");
    const std::map<std::string, reports::Color> colors{
        {"auto", reports::Color::automatic}, {"always", reports::Color::always}, {"never", reports::Color::never}};
    render->add_option("--document,document", options_.documents, "Documents that runs wrote; several are merged")
        ->required();
    render->add_option("--text", options_.text, "Write the text to this file as well");
    render->add_option("--sarif", options_.sarif, "Write a SARIF 2.1.0 report to this file");
    render->add_option("--html", options_.html,
                       "Write a web page with the findings and their tasks drawn to this file");
    // Nobody but the end of a checked program has a trace to hand over.
    render->add_option("--graph", options_.graph)->group("");
    render->add_option("--trace", options_.trace)->group("");
    render->add_option("--color", options_.color, "Colours in the text: auto, always or never")
        ->transform(CLI::CheckedTransformer(colors).description(""));
    render->add_option("--symbolizer", options_.symbolizer, "The llvm-symbolizer to use");
    render->add_option("--source-root", options_.source_root,
                       "Show the names of files below this folder relative to it");
    render->add_option("--suppressions", options_.suppressions, "File that lists findings not to report");
    render->add_option("--ignorelist", options_.ignore_list,
                       "Special case list, as clang's, of code whose accesses are not reported");
    render->add_option("--baseline", options_.baseline, "SARIF file of an earlier run: its findings are not new");
    render->add_flag("--group,!--no-group", options_.group,
                     "Report findings that one change removes as one; else report each pair of lines");
    render->add_flag("--quiet", quiet_, "Print no text on standard error");
    render->add_flag("--verbose", options_.verbose, "Report what was checked even if nothing was found");
    render->add_flag("--check", options_.status_tells_errors, "Exit with status 1 if errors remain");
    return render;
  }

  int run(const std::vector<std::string>&) override {
    drop_pending_signals();
    options_.status_tells_untold = options_.status_tells_errors; // for the end of a checked program, which asks for it
    options_.console = !quiet_;
    add_helpers(options_);
    return reports::render(options_);
  }

private:
  reports::RenderOptions options_;
  bool quiet_ = false;
};

} // namespace

std::unique_ptr<Command> make_render() { return std::make_unique<Render>(); }

} // namespace fletcher::cli

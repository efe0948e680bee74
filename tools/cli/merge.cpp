// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `fletcher merge`: one report of all that the processes of a job or a test suite left in a folder, and the exit status
// that they did not have.

#include "reports/render.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/documents.hpp"
#include "tools/cli/helpers.hpp"

#include <CLI/CLI.hpp>

namespace fletcher::cli {

namespace {

class Merge final : public Command {
public:
  CLI::App* declare(CLI::App& app) override {
    CLI::App* const merge = app.add_subcommand("merge", "Merge what many processes found into one report");
    merge->add_option("folder", paths_, "Folders that 'fletcher run --collect' wrote, or documents")->required();
    merge->add_option("--text", options_.text, "Write the text to this file as well");
    merge->add_option("--sarif", options_.sarif, "Write a SARIF 2.1.0 report to this file");
    merge->add_option("--html", options_.html, "Write a web page with the findings to this file");
    merge->add_option("--junit", options_.junit, "Write a JUnit report to this file: a failed test for each finding");
    merge->add_option("--gitlab", options_.gitlab, "Write a GitLab code quality report to this file");
    merge->add_flag("--github", options_.github, "Print GitHub annotations on standard output");
    merge->add_option("--source-root", options_.source_root,
                      "Show the names of files below this folder relative to it");
    merge->add_option("--suppressions", options_.suppressions, "File that lists findings not to report");
    merge->add_option("--ignorelist", options_.ignore_list,
                      "Special case list, as clang's, of code whose accesses are not reported");
    merge->add_option("--baseline", options_.baseline, "SARIF file of an earlier run: its findings are not new");
    merge->add_flag("--quiet", quiet_, "Print no text on standard error");
    return merge;
  }

  int run(const std::vector<std::string>&) override {
    options_.documents = documents_in(paths_);
    options_.console = !quiet_;
    options_.verbose = true; // that nothing was found is an answer, too
    options_.status_tells_errors = true;
    add_helpers(options_);
    return reports::render(options_);
  }

private:
  std::vector<std::string> paths_;
  reports::RenderOptions options_;
  bool quiet_ = false;
};

} // namespace

std::unique_ptr<Command> make_merge() { return std::make_unique<Merge>(); }

} // namespace fletcher::cli

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `fletcher diff OLD NEW`: which findings are new, which are gone.

#include "reports/difference.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/documents.hpp"
#include "tools/cli/helpers.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>

namespace fletcher::cli {

namespace {

constexpr int cannot_compare = 2;

class Diff final : public Command {
public:
  CLI::App* declare(CLI::App& app) override {
    CLI::App* const diff = app.add_subcommand("diff", "Report which findings are new and which are gone");
    diff->add_option("old", old_, "A SARIF report, a document, or a folder of documents")->required();
    diff->add_option("new", new_, "The same, of a later run")->required();
    diff->add_option("--source-root", options_.source_root, "Show the names of files below this folder relative to it");
    diff->add_option("--suppressions", options_.suppressions, "File that lists findings not to report");
    return diff;
  }

  int run(const std::vector<std::string>&) override {
    add_helpers(options_);
    const auto before = of(old_), after = of(new_);
    for (const auto* one : {&before, &after})
      if (!*one) {
        std::cerr << "fletcher: diff: " << one->error() << '\n';
        return cannot_compare;
      }
    const reports::Difference found = reports::difference(*before, *after);
    for (const reports::ShortFinding& one : found.fresh) std::cout << "new:  " << one.line << '\n';
    for (const reports::ShortFinding& one : found.gone) std::cout << "gone: " << one.line << '\n';
    std::cout << "fletcher: " << found.fresh.size() << " new, " << found.gone.size() << " gone, " << found.unchanged
              << " unchanged\n";
    return std::any_of(found.fresh.begin(), found.fresh.end(),
                       [](const auto& one) { return one.severity == Severity::error; })
               ? 1
               : 0;
  }

private:
  reports::Result<std::vector<reports::ShortFinding>> of(const std::string& path) {
    options_.documents = documents_in({path});
    return reports::short_findings(options_);
  }

  std::string old_, new_;
  reports::RenderOptions options_;
};

} // namespace

std::unique_ptr<Command> make_diff() { return std::make_unique<Diff>(); }

} // namespace fletcher::cli

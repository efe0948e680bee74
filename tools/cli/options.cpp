// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `fletcher options`: lists what FLETCHER_OPTIONS can set. Relies on the library's own table, so that both say the
// same.

#include "tools/cli/command.hpp"

#include "lib/tool/options.hpp"

#include <CLI/CLI.hpp>

#include <iostream>

namespace fletcher::cli {

namespace {

class Options final : public Command {
public:
  CLI::App* declare(CLI::App& app) override {
    return app.add_subcommand("options", "List the options of FLETCHER_OPTIONS");
  }
  int run(const std::vector<std::string>&) override {
    std::cout << tool::options_help();
    return 0;
  }
};

} // namespace

std::unique_ptr<Command> make_options() { return std::make_unique<Options>(); }

} // namespace fletcher::cli

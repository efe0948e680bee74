// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program `fletcher`: its commands, and the reading of its command line by CLI11. What stands behind "--" is
// another program's and is kept from CLI11.

#include "tools/cli/command.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <iostream>
#include <map>
#include <string>
#include <utility>

namespace {

using fletcher::cli::Command;

constexpr const char* footer = R"(
A program built with fletcher-cc, fletcher-c++ or fletcher-fc checks itself when it runs. 'fletcher run' checks any OpenMP
program, also one built without them, and writes report files. 'fletcher options' lists what FLETCHER_OPTIONS can set.)";

struct Declared {
  std::unique_ptr<Command> command;
  CLI::App* app;
};

/// Help lists "--sarif FILE" and "--threads N", not the types and ranges that CLI11 would print.
void name_values(CLI::App& command) {
  static const std::map<std::string, std::string> names{
      {"--collect", "FOLDER"},    {"--keep", "FOLDER"}, {"--source-root", "FOLDER"},
      {"--build", "\"COMMAND\""}, {"--color", "WHEN"},  {"--options", "\"KEY=VALUE ...\""}};
  for (CLI::Option* const option : command.get_options()) {
    if (option->get_items_expected_max() == 0) continue; // a flag
    const auto named = names.find(option->get_name());
    if (option->get_type_name().find("INT") != std::string::npos)
      option->type_name("N")->get_validator(0)->description("");
    else if (named != names.end())
      option->type_name(named->second);
    else
      option->type_name(option->nonpositional() ? "FILE" : "");
  }
}

int run(std::vector<std::string> arguments) {
  std::vector<std::string> program;
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes != arguments.end()) {
    program.assign(dashes + 1, arguments.end());
    arguments.erase(dashes, arguments.end());
  }
  CLI::App app{"Finds data races, dependence bugs and deadlocks in OpenMP programs.", "fletcher"};
  app.set_version_flag("--version", "fletcher " FLETCHER_VERSION);
  app.require_subcommand(1);
  std::vector<Declared> commands;
  for (auto make :
       {fletcher::cli::make_run, fletcher::cli::make_explore, fletcher::cli::make_fix, fletcher::cli::make_render,
        fletcher::cli::make_merge, fletcher::cli::make_diff, fletcher::cli::make_options, fletcher::cli::make_doctor}) {
    std::unique_ptr<Command> command = make();
    CLI::App* declared = command->declare(app);
    name_values(*declared);
    commands.push_back({std::move(command), declared});
  }
  app.footer(footer); // of the commands each has its own
  const std::string first = arguments.empty() ? "" : arguments.front();
  const auto is_first = [&](const Declared& declared) { return declared.app->get_name() == first; };
  if (!first.empty() && !first.starts_with('-') && std::none_of(commands.begin(), commands.end(), is_first)) {
    std::cerr << "fletcher: unknown command '" << first << "' (fletcher --help lists all)\n";
    return 2;
  }
  try {
    std::reverse(arguments.begin(), arguments.end()); // CLI11 takes them from the back
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
    std::cerr << "fletcher: " << error.what() << " (fletcher --help says more)\n";
    return 2;
  }
  const auto chosen = std::find_if(commands.begin(), commands.end(), [](const Declared& d) { return d.app->parsed(); });
  return chosen->command->run(program);
}

} // namespace

int main(int argc, char** argv) {
  try {
    return run(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  } catch (const std::exception& error) {
    std::cerr << "fletcher: " << error.what() << '\n';
    return 2;
  }
}

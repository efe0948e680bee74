// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `fletcher doctor`: says which of the things that a check needs are on this machine, and what is missing without them;
// of a program, which of the functions that it calls in libraries are known.

#include "tools/cli/called_libraries.hpp"
#include "tools/cli/command.hpp"

#include "reports/document/words.hpp"
#include "reports/symbols/symbolizer.hpp"
#include "tools/common/installation.hpp"
#include "tools/drivers/compiler.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <optional>
#include <string>

namespace fletcher::cli {

namespace {

namespace fs = std::filesystem;

class Doctor final : public Command {
public:
  CLI::App* declare(CLI::App& app) override {
    CLI::App* const doctor = app.add_subcommand("doctor", "Check whether what Fletcher needs is installed");
    doctor
        ->add_option("PROGRAM", program_, "Also list the library functions that it calls, and which of them are known")
        ->check(CLI::ExistingFile.description(""));
    return doctor;
  }

  int run(const std::vector<std::string>&) override {
    const tools::Installation installation = tools::find_installation();
    const auto library = installation.library.empty() ? std::nullopt : std::optional(installation.library);
    tell("libfletcher.so", library, "nothing can be checked");
    tell("libomp", tools::find_libomp(), "programs of GCC cannot be checked (Debian: libomp-19-dev)");
    const auto symbolizer = reports::find_symbolizer({});
    tell("llvm-symbolizer", symbolizer ? std::optional<fs::path>(*symbolizer) : std::nullopt,
         installation.symbolizer.empty() ? "reports have no lines (Debian: llvm-19)"
                                         : "debuginfod servers are not asked (Debian: llvm-19)");
    tell_plugins(installation);
    for (const char* driver : {"fletcher-cc", "fletcher-c++", "fletcher-fc"}) compiler(driver, installation);
    if (!program_.empty())
      for (const CalledLibrary& called : called_libraries(program_)) tell(called);
    return complete_ ? 0 : 1;
  }

private:
  static void tell(const CalledLibrary& library) {
    std::cout << library.name << ": the program calls "
              << reports::plural(library.known.size() + library.unknown.size(), "function")
              << " of it; known: " << library.known.size();
    for (const std::string& function : library.unknown)
      std::cout << (&function == library.unknown.data() ? "; not known: " : ", ") << function;
    std::cout << '\n';
  }

  void tell(const std::string& what, const std::optional<fs::path>& found, const std::string& without) {
    std::cout << what << ": " << (found ? found->string() : "not found: " + without) << '\n';
    complete_ = complete_ && found.has_value();
  }

  /// A check is complete without them, but slower.
  static void tell_plugins(const tools::Installation& installation) {
    std::string versions;
    for (const int version : tools::plugin_versions(installation))
      versions += (versions.empty() ? " " : ", ") + std::to_string(version);
    std::cout << "compiler plugin: "
              << (versions.empty() ? "none: each access is checked separately" : "for clang" + versions) << '\n';
  }

  void compiler(const char* driver, const tools::Installation& installation) {
    const drivers::Compiler chosen = drivers::choose_compiler(driver);
    const std::string& name = chosen.command.back(); // before it may stand ccache and the like
    const auto program = tools::find_program(name);
    tell(std::string(driver) + " uses", program,
         name + " has to be installed, or another compiler named by " + chosen.variable);
    if (!program || chosen.family != drivers::Family::clang) return;
    const int version = drivers::major_version(chosen);
    if (!tools::find_plugin(installation, version))
      std::cout << driver << " has no compiler plugin for clang " << version << ": each access is checked separately\n";
  }

  std::string program_;
  bool complete_ = true;
};

} // namespace

std::unique_ptr<Command> make_doctor() { return std::make_unique<Doctor>(); }

} // namespace fletcher::cli

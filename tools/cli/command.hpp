// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command of `fletcher`: declares its arguments to CLI11, then runs with what was read. A class for each, in a file
// of its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace fletcher::cli {

class Command {
public:
  virtual ~Command() = default;
  /// Adds the command to `app` and returns it. What is read goes to members, so the command must outlive the reading.
  virtual CLI::App* declare(CLI::App& app) = 0;
  /// The command's exit status. `program` is what stood behind "--".
  virtual int run(const std::vector<std::string>& program) = 0;
};

std::unique_ptr<Command> make_run();
std::unique_ptr<Command> make_explore();
std::unique_ptr<Command> make_fix();
std::unique_ptr<Command> make_render();
std::unique_ptr<Command> make_merge();
std::unique_ptr<Command> make_diff();
std::unique_ptr<Command> make_options();
std::unique_ptr<Command> make_doctor();

} // namespace fletcher::cli

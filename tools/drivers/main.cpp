// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fletcher-cc, fletcher-c++ and fletcher-fc: one program that stands in for a compiler, adds what Fletcher needs and
// becomes that compiler. Which of the three it is, its own name says.

#include "tools/common/installation.hpp"
#include "tools/drivers/flags.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <optional>
#include <span>
#include <string_view>
#include <unistd.h>

namespace {

using namespace fletcher;
using drivers::Arguments;

constexpr int cannot_run = 126;
constexpr int not_found = 127;

constexpr std::string_view help =
    R"(fletcher-cc, fletcher-c++, fletcher-fc: compile and link OpenMP programs so that Fletcher checks them.

Use them in place of the compiler, which gets every argument. They add the instrumentation and -g when compiling, and
Fletcher's library and LLVM's OpenMP runtime when linking.

  FLETCHER_CC, FLETCHER_CXX, FLETCHER_FC   the compilers to use (now: clang-19, clang++-19, gfortran); for example gcc
  FLETCHER_LIBOMP                          the libomp.so to link with objects of GCC (now: searched for)
  --fletcher-show                          print the command instead of running it
  --fletcher-no-plugin                     do not load the compiler plugin: each access is checked separately
  --fletcher-help                          print this text

The program checks itself when it runs; FLETCHER_OPTIONS=help=1 lists what can be set. See also: fletcher --help
)";

/// As a shell would need it.
std::string shell_word(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%^";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// Takes a driver's own option out of the arguments.
bool take(Arguments& arguments, std::string_view option) {
  const auto end = std::remove(arguments.begin(), arguments.end(), option);
  const bool found = end != arguments.end();
  arguments.erase(end, arguments.end());
  return found;
}

/// True where running `program` would run this driver again.
bool is_self(const std::string& program) {
  const auto found = tools::find_program(program);
  std::error_code error;
  return found && std::filesystem::equivalent(*found, "/proc/self/exe", error) && !error;
}

int become(const Arguments& command, const std::string& name, const std::string& variable) {
  std::vector<char*> argv;
  for (const std::string& argument : command) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv.front(), argv.data());
  const int error = errno;
  std::cerr << name << ": cannot run '" << command.front() << "': " << std::strerror(error) << " (" << variable
            << " chooses another compiler)\n";
  return error == ENOENT ? not_found : cannot_run;
}

int drive(const std::string& name, Arguments arguments) {
  if (take(arguments, "--fletcher-help")) {
    std::cout << help;
    return 0;
  }
  const bool show = take(arguments, "--fletcher-show");
  const bool no_plugin = take(arguments, "--fletcher-no-plugin");
  const drivers::Compiler compiler = drivers::choose_compiler(name);
  if (is_self(compiler.command.back())) {
    std::cerr << name << ": " << compiler.variable << " names this driver itself; it must name a compiler\n";
    return not_found;
  }
  const Arguments passed = drivers::without_as_needed(drivers::without_libgomp(arguments));
  const drivers::Request request = drivers::understand(passed);
  Arguments command = compiler.command;
  if (request.other_width) {
    std::cerr << name << ": warning: only 64-bit programs can be checked; passing this command on unchanged\n";
    command.insert(command.end(), arguments.begin(), arguments.end());
  } else if (!request.compiles && !request.links) {
    command.insert(command.end(), arguments.begin(), arguments.end());
  } else {
    const tools::Installation installation = tools::find_installation();
    if (request.links && installation.library.empty()) {
      std::cerr << name << ": libfletcher.so is not in '" << installation.libraries.string() << "'\n";
      return 1;
    }
    if (request.links && request.is_static) {
      std::cerr << name << ": -static: a checked program needs Fletcher's shared library; link it dynamically\n";
      return 1;
    }
    const bool needs_libomp = request.openmp || request.names_libomp;
    if (request.links && needs_libomp && compiler.family == drivers::Family::gnu && !tools::find_libomp())
      std::cerr << name
                << ": LLVM's libomp.so was not found: install it (Debian: libomp-19-dev) or set FLETCHER_LIBOMP\n";
    std::optional<std::filesystem::path> plugin;
    if (!no_plugin && compiler.family == drivers::Family::clang)
      plugin = tools::find_plugin(installation, drivers::major_version(compiler));
    const drivers::Additions added = drivers::additions(request, passed, compiler.family, plugin, installation);
    for (const Arguments* part : {&added.before, &passed, &added.after})
      command.insert(command.end(), part->begin(), part->end());
  }
  if (!show) return become(command, name, compiler.variable);
  for (std::size_t i = 0; i < command.size(); ++i) std::cout << (i == 0 ? "" : " ") << shell_word(command[i]);
  std::cout << '\n';
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  const std::string name = std::filesystem::path(words.empty() ? "fletcher-cc" : words.front()).filename().string();
  try {
    return drive(name, Arguments(words.begin() + (words.empty() ? 0 : 1), words.end()));
  } catch (const std::exception& error) {
    std::cerr << name << ": " << error.what() << '\n';
    return cannot_run;
  }
}

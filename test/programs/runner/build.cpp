// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compile and link commands by language and compiler.
#include "build.hpp"

#include <cstdlib>

namespace fletcher::programs {
namespace {

enum class Language { c, cxx, fortran };

Language language_of(const std::filesystem::path& file) {
  if (file.extension() == ".f90") return Language::fortran;
  return file.extension() == ".cpp" ? Language::cxx : Language::c;
}

std::string plain_compiler(Language language, const std::string& compiler) {
  if (language == Language::fortran) return "gfortran";
  if (compiler == "gcc") return language == Language::cxx ? "g++" : "gcc";
  return language == Language::cxx ? "clang++-19" : "clang-19";
}

Command with_driver(Language language, const std::string& compiler) {
  switch (language) {
  case Language::c:
    return {{(binaries() / "fletcher-cc").string()}, {"FLETCHER_CC=" + plain_compiler(language, compiler)}};
  case Language::cxx:
    return {{(binaries() / "fletcher-c++").string()}, {"FLETCHER_CXX=" + plain_compiler(language, compiler)}};
  case Language::fortran:
    break;
  }
  return {{(binaries() / "fletcher-fc").string()}, {"FLETCHER_FC=" + plain_compiler(language, compiler)}};
}

void append(std::vector<std::string>& to, const std::vector<std::string>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

} // namespace

std::filesystem::path binaries() {
  const char* chosen = std::getenv("FLETCHER_TEST_BIN");
  return chosen != nullptr ? chosen : FLETCHER_BINARIES;
}

std::filesystem::path library() { return binaries().parent_path() / "lib" / "libfletcher.so"; }

std::vector<Command> build_commands(const Expectation& program, const Configuration& configuration,
                                    const std::filesystem::path& executable, bool plain) {
  const Language language = language_of(program.file);
  std::vector<std::string> flags{"-g", configuration.optimisation, "-fopenmp"};
  if (language == Language::fortran) append(flags, {"-J", executable.parent_path().string()});
  append(flags, program.flags);

  if (!plain) {
    Command command = with_driver(language, configuration.compiler);
    append(command.arguments, flags);
    append(command.arguments, {program.file.string(), "-o", executable.string(), "-lm", "-lpthread"});
    return {command};
  }
  if (configuration.tsan) {
    Command command{{plain_compiler(language, configuration.compiler)}, {}};
    append(command.arguments, flags);
    append(command.arguments,
           {"-fsanitize=thread", program.file.string(), "-o", executable.string(), "-lm", "-lpthread"});
    return {command};
  }
  // Whoever compiled, clang links, so that LLVM's OpenMP runtime is used.
  const std::string object = executable.string() + ".o";
  Command compile{{plain_compiler(language, configuration.compiler)}, {}};
  append(compile.arguments, flags);
  append(compile.arguments, {"-c", program.file.string(), "-o", object});
  Command link{{plain_compiler(language == Language::cxx ? Language::cxx : Language::c, "clang")}, {}};
  append(link.arguments, {"-fopenmp", object, "-o", executable.string(), "-lm", "-lpthread"});
  append(link.arguments, program.flags); // for their libraries
  if (language == Language::fortran) link.arguments.push_back("-lgfortran");
  return {compile, link};
}

} // namespace fletcher::programs

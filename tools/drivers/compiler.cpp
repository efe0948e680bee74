// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the compiler from the driver's name and the environment. A compiler whose name does not tell its family (cc,
// mpicc) is asked for its version.

#include "tools/drivers/compiler.hpp"

#include "tools/common/installation.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <memory>
#include <sstream>

namespace fletcher::drivers {

namespace {

std::string base_name(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

std::string first_lines_of_version(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) {
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += "' ";
  }
  line += "--version 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(line.c_str(), "r"), ::pclose);
  std::string output;
  std::array<char, 4096> buffer{};
  while (pipe && std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe.get()) != nullptr)
    output += buffer.data();
  return output;
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

Family family_of(const std::vector<std::string>& command) {
  const std::string name = base_name(command.back());
  if (has(name, "flang")) return Family::flang;
  if (has(name, "clang")) return Family::clang;
  if (has(name, "gcc") || has(name, "g++") || has(name, "gfortran")) return Family::gnu;
  const std::string version = first_lines_of_version(command);
  if (has(version, "flang")) return Family::flang;
  if (has(version, "clang")) return Family::clang;
  return Family::gnu;
}

} // namespace

Compiler choose_compiler(std::string_view driver) {
  const std::string name = base_name(driver);
  Compiler compiler;
  const char* usual = "clang-19";
  compiler.variable = "FLETCHER_CC";
  if (name.ends_with("c++") || name.ends_with("cxx")) {
    usual = "clang++-19";
    compiler.variable = "FLETCHER_CXX";
  } else if (name.ends_with("fc")) {
    usual = "gfortran";
    compiler.variable = "FLETCHER_FC";
  }
  compiler.command = words(tools::environment(compiler.variable.c_str()));
  if (compiler.command.empty()) compiler.command = {usual};
  compiler.family = family_of(compiler.command);
  return compiler;
}

int major_version(const Compiler& compiler) {
  const auto number = [](std::string_view text) {
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  const std::string name = base_name(compiler.command.back());
  if (const auto dash = name.rfind('-'); dash != std::string::npos)
    if (const int version = number(std::string_view(name).substr(dash + 1)); version > 0) return version;
  const std::string answer = first_lines_of_version(compiler.command);
  constexpr std::string_view before = "clang version ";
  const auto at = answer.find(before);
  return at == std::string::npos ? 0 : number(std::string_view(answer).substr(at + before.size()));
}

} // namespace fletcher::drivers

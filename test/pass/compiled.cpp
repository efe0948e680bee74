// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/pass/compiled.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <sstream>

namespace fletcher::test {

std::string driver() {
  const char* const clang = std::getenv("FLETCHER_TEST_CLANG");
  return clang == nullptr ? "fletcher-cc" : "FLETCHER_CC=" + std::string(clang) + " fletcher-cc";
}

Compiled compile(const std::string& source, const std::string& flags) {
  const Workshop shop;
  shop.write("source.c", source);
  const Outcome outcome = shop.run(driver() + " -w -O1 -g " + flags + " -S -emit-llvm source.c -o -");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  Compiled compiled{{}, outcome.output};
  std::istringstream lines(outcome.output);
  const std::regex call(R"(call [^@]*@__(tsan|fletcher_untold|fletcher)_([a-z0-9_]+)\((.*)\))");
  const std::regex constant(R"(.*, i64 (-?[0-9]+))");
  for (std::string line; std::getline(lines, line);) {
    std::smatch parts;
    if (!std::regex_search(line, parts, call)) continue;
    const std::string name = parts[2], arguments = parts[3];
    if (name.starts_with("func_") || name == "init") continue;
    const bool has_constant = std::regex_match(arguments, parts, constant);
    compiled.checks.push_back(has_constant ? name + " " + parts[1].str() : name);
  }
  return compiled;
}

} // namespace fletcher::test

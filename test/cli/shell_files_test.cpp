// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Manual pages and completion know the commands and options that `fletcher --help` lists, and no others.

#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace fletcher::test {
namespace {

std::string source(const std::string& name) {
  std::ifstream stream(std::string(FLETCHER_SOURCES) + "/" + name);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::set<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end; ++i) found.insert((*i)[1]);
  return found;
}

std::set<std::string> commands(const Workshop& workshop) {
  const std::string help = workshop.run("fletcher --help").output;
  return matches(help.substr(help.find("Subcommands:")), "\n  ([a-z]+) ");
}

/// The long options of a command.
std::set<std::string> options(const Workshop& workshop, const std::string& command) {
  const std::string help = workshop.run("fletcher " + command + " --help").output;
  const std::string listed = help.substr(help.find("Options:"), help.find("\n\n\n") - help.find("Options:"));
  std::set<std::string> found;
  for (const std::string& names : matches(listed, R"(\n  (-\S+))")) found.merge(matches(names, "(--[a-z-]+)"));
  return found;
}

/// What stands between `begin` and `end`.
std::string part(const std::string& text, const std::string& begin, const std::string& end) {
  const auto at = text.find(begin);
  if (at == std::string::npos) return {};
  return text.substr(at + begin.size(), text.find(end, at + begin.size()) - at - begin.size());
}

TEST(ShellFiles, BashCompletesWhatHelpLists) {
  const Workshop workshop;
  const auto completed = [&](const std::string& line) {
    const std::string output =
        workshop
            .run("bash -c '. " FLETCHER_SOURCES "/tools/completion/fletcher.bash; COMP_WORDS=(" + line +
                 "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _fletcher; printf \"%s\\n\" \"${COMPREPLY[@]}\"'")
            .output;
    return matches(output, "([^\n]+)\n");
  };
  std::set<std::string> first = commands(workshop);
  EXPECT_GT(first.size(), 4U);
  for (const std::string& command : first) {
    std::set<std::string> expected = options(workshop, command);
    EXPECT_TRUE(expected.contains("--help")) << command;
    std::set<std::string> offered = completed("fletcher " + command + " --");
    offered.erase("--");
    EXPECT_EQ(offered, expected) << command;
  }
  first.insert({"--help", "--version"});
  EXPECT_EQ(completed("fletcher \"\""), first);
  EXPECT_EQ(completed("fletcher render --color a"), (std::set<std::string>{"always", "auto"}));
  workshop.write("app-7", "");
  EXPECT_EQ(completed("fletcher run --threads 2 -- app-"), std::set<std::string>{"app-7"});
}

TEST(ShellFiles, ZshAndTheManualHaveWhatHelpLists) {
  const Workshop workshop;
  const std::string zsh = source("tools/completion/_fletcher");
  const std::string manual = std::regex_replace(source("docs/man/fletcher.1"), std::regex(R"(\\-)"), "-");
  std::set<std::string> known = commands(workshop);
  EXPECT_EQ(matches(part(zsh, "commands=(", "\n)"), "\n  '([a-z]+):"), known);
  EXPECT_EQ(matches(manual, "\n.SS fletcher ([a-z]+)\n"), known);
  for (const std::string& command : known) {
    std::set<std::string> expected = options(workshop, command);
    std::set<std::string> offered = matches(part(zsh, "\n  " + command + ")\n", ";;"), "'(--[a-z-]+)\\[");
    EXPECT_EQ(offered, expected) << command;
    expected.erase("--help");
    std::set<std::string> described =
        matches(part(manual, ".SS fletcher " + command + "\n", "\n.S"), "(?:\n\\.BI? |\\\\fB)(--[a-z-]+)");
    EXPECT_EQ(described, expected) << command;
  }
}

TEST(ShellFiles, TheManualOfTheDriversHasTheirOptions) {
  const Workshop workshop;
  const std::string manual = std::regex_replace(source("docs/man/fletcher-cc.1"), std::regex(R"(\\-)"), "-");
  const std::set<std::string> known = matches(workshop.run("fletcher-cc --fletcher-help").output, "\n  (--[a-z-]+)");
  EXPECT_EQ(known.size(), 3U);
  EXPECT_EQ(matches(manual, "\n\\.B (--[a-z-]+)\n"), known);
}

} // namespace
} // namespace fletcher::test

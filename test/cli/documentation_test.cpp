// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The documentation says what is true: it knows every option and every rule, and its examples do what it says of them.

#include "reports/document/enum_names.hpp"
#include "reports/explanation/rule_catalogue.hpp"
#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace fletcher::reports {

void PrintTo(const RuleText& rule, std::ostream* out) { *out << rule.id; }

} // namespace fletcher::reports

namespace fletcher::test {
namespace {

std::string page(const std::string& name) {
  std::ifstream stream(std::string(FLETCHER_DOCS) + "/" + name);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The row of the table whose first cell is `name` in code font; empty where there is none.
std::string row(const std::string& text, const std::string& name) {
  const auto begin = text.find("\n| `" + name + "` |");
  return begin == std::string::npos ? "" : text.substr(begin + 1, text.find('\n', begin + 1) - begin - 1);
}

/// The first block of C under a heading.
std::string example(const std::string& text, const std::string& heading) {
  const std::string fence = "\n```c\n";
  const auto begin = text.find(fence, text.find("\n## " + heading + "\n"));
  if (begin == std::string::npos) return {};
  return text.substr(begin + fence.size(), text.find("\n```\n", begin) + 1 - begin - fence.size());
}

TEST(Documentation, OptionsAreTheLibrarysOwnWithTheirDefaults) {
  const Workshop workshop;
  const std::string text = page("options.md");
  std::istringstream lines(workshop.run("fletcher options").output);
  std::size_t options = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  ")) continue;
    ++options;
    const std::string name = line.substr(2, line.find('=') - 2);
    const std::string found = row(text, name);
    EXPECT_FALSE(found.empty()) << "docs/options.md does not know " << name;
    const std::string mark = "(default ";
    const auto given = line.rfind(mark);
    const std::string value = given == std::string::npos ? "" : line.substr(given + mark.size());
    std::istringstream cells(found);
    std::string cell;
    for (int i = 0; i < 4; ++i) std::getline(cells, cell, '|');
    std::erase_if(cell, [](unsigned char c) { return std::isspace(c) != 0; });
    EXPECT_EQ(cell, value.substr(0, value.find(')'))) << name;
  }
  EXPECT_GT(options, 10U);
}

TEST(Documentation, WhatContributorsAreToChangeIsThere) {
  std::ifstream stream(std::string(FLETCHER_SOURCES) + "/CONTRIBUTING.md");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const std::regex path("`([a-z_-]+/[A-Za-z0-9_./+-]*)`");
  std::size_t named = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), path), end; i != end; ++i) {
    const std::string name = (*i)[1];
    EXPECT_TRUE(std::filesystem::exists(std::string(FLETCHER_SOURCES) + "/" + name)) << name;
    ++named;
  }
  EXPECT_GT(named, 40U);
}

/// As a web page of the text names a heading: small letters, a hyphen for each blank, no punctuation.
std::string anchor(const std::string& heading) {
  std::string result;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_')
      result += static_cast<char>(std::tolower(byte));
    else if (c == ' ')
      result += '-';
  }
  return result;
}

/// The lines of a page that are not in a block of code.
std::vector<std::string> prose(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::vector<std::string> result;
  bool code = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("```"))
      code = !code;
    else if (!code)
      result.push_back(line);
  }
  return result;
}

bool has_heading(const std::filesystem::path& path, const std::string& wanted) {
  for (const std::string& line : prose(path))
    if (line.starts_with("#") && anchor(line.substr(line.find(' ') + 1)) == wanted) return true;
  return false;
}

TEST(Documentation, LinksLeadToPagesAndHeadings) {
  const std::filesystem::path root(FLETCHER_SOURCES);
  std::vector<std::filesystem::path> pages{root / "README.md", root / "CONTRIBUTING.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  const std::regex link(R"(\]\(([^)#:\s]*)(#([^)\s]*))?\))");
  std::size_t links = 0;
  for (const std::filesystem::path& from : pages)
    for (const std::string& line : prose(from))
      for (std::sregex_iterator i(line.begin(), line.end(), link), end; i != end; ++i, ++links) {
        const std::string name = (*i)[1], heading = (*i)[3];
        const std::filesystem::path to = name.empty() ? from : from.parent_path() / name;
        EXPECT_TRUE(std::filesystem::exists(to)) << from << ": " << name;
        EXPECT_TRUE(heading.empty() || has_heading(to, heading)) << from << ": " << name << '#' << heading;
      }
  EXPECT_GT(links, 100U);
}

class RulePage : public testing::TestWithParam<reports::RuleText> {};

TEST_P(RulePage, IsThereAndItsExamplesDoWhatItSays) {
  const std::string id(GetParam().id);
  const std::string text = page("rules/" + id + ".md");
  ASSERT_TRUE(text.starts_with("# " + id + "\n")) << "no page docs/rules/" << id << ".md";
  EXPECT_NE(text.find("Severity: " + std::string(reports::name_of(GetParam().level))), std::string::npos);
  const bool implemented = text.find("**Not implemented yet:**") == std::string::npos;
  const Workshop workshop;
  for (const bool bad : {true, false}) {
    const std::string code = example(text, bad ? "Bad example" : "Good example");
    const bool mpi = code.find("<mpi.h>") != std::string::npos;
    if (mpi && workshop.run("command -v mpicc.openmpi").status != 0) GTEST_SKIP() << "Open MPI is not installed";
    const bool offloads = code.find("omp target") != std::string::npos;
    if (offloads && workshop.run("test -e /usr/lib/llvm-19/lib/libomptarget.so").status != 0)
      GTEST_SKIP() << "LLVM's libomptarget is not installed";
    const std::string device = offloads ? " -fopenmp-targets=x86_64-pc-linux-gnu" : "";
    workshop.write("a.c", code);
    const bool gccs = code.find("fork()") != std::string::npos;
    const std::string compiler = mpi    ? "OMPI_CC=fletcher-cc mpicc.openmpi"
                                 : gccs ? "FLETCHER_CC=gcc fletcher-cc"
                                        : "fletcher-cc";
    const Outcome built = workshop.run(compiler + " -O1 -fopenmp" + device + " -Wall -Werror a.c -o a");
    ASSERT_EQ(built.status, 0) << built.errors;
    if (!implemented) continue; // the bad ones may hang
    const std::string options = GetParam().level == Severity::note ? "FLETCHER_OPTIONS=advise=1 " : "";
    const Outcome ran = workshop.run(options + "timeout 60 ./a");
    const bool fails = bad && ran.errors.find(" error: ") != std::string::npos;
    EXPECT_EQ(ran.status, fails ? 66 : 0) << ran.errors;
    EXPECT_TRUE(!bad || fails || GetParam().level != Severity::error) << ran.errors;
    if (bad)
      EXPECT_NE(ran.errors.find("[" + id + "]\n"), std::string::npos) << ran.errors;
    else
      EXPECT_EQ(ran.errors, "");
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, RulePage,
                         testing::ValuesIn(reports::rule_catalogue().begin(), reports::rule_catalogue().end()),
                         [](const auto& tested) { return std::string(tested.param.name); });

} // namespace
} // namespace fletcher::test

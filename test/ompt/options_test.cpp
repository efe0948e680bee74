// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of options and its reader.

#include "lib/tool/options.hpp"

#include <gtest/gtest.h>

#include <set>

namespace fletcher::tool {
namespace {

using Complaints = std::vector<std::string>;

TEST(Options, TableHasEachNameOnceAndItsDefault) {
  std::set<std::string_view> names;
  for (const OptionInfo& option : option_table()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_FALSE(option.meaning.empty()) << option.name;
    // The default that help shows is the one in force.
    const Options fresh;
    Options set;
    const Complaints complaints =
        parse_options(std::string(option.name) + "=" + std::string(option.default_value), set);
    EXPECT_EQ(complaints, Complaints{}) << option.name;
    std::visit([&](const auto member) { EXPECT_EQ(fresh.*member, set.*member) << option.name; }, option.member);
  }
}

TEST(Options, ReadsSeveralInAnyOrder) {
  Options options;
  EXPECT_EQ(parse_options("  exitcode=3 verbose=yes\tsarif=/a/b.sarif  enabled=off", options), Complaints{});
  EXPECT_EQ(options.exitcode, 3u);
  EXPECT_TRUE(options.verbose);
  EXPECT_FALSE(options.enabled);
  EXPECT_EQ(options.sarif, "/a/b.sarif");
}

TEST(Options, QuotesKeepSpaces) {
  Options options;
  EXPECT_EQ(parse_options("text='my report' sarif=\"a 'b\" document=x'\"'y", options), Complaints{});
  EXPECT_EQ(options.text, "my report");
  EXPECT_EQ(options.sarif, "a 'b");
  EXPECT_EQ(options.document, "x\"y");
}

TEST(Options, ComplainsOfEachItemAndKeepsTheRest) {
  Options options;
  const Complaints complaints =
      parse_options("nonsense exitcode=-1 color=red max_findings=9999999999 verbose=1", options);
  EXPECT_EQ(complaints.size(), 4u);
  EXPECT_EQ(complaints[0], "unknown option 'nonsense' in FLETCHER_OPTIONS (help=1 lists all)");
  EXPECT_EQ(complaints[2],
            "bad value 'red' for option 'color' in FLETCHER_OPTIONS: expected auto|always|never; the default "
            "stays");
  EXPECT_EQ(options.exitcode, 66u);
  EXPECT_EQ(options.color, "auto");
  EXPECT_EQ(options.max_findings, 1000u);
  EXPECT_TRUE(options.verbose);
}

TEST(Options, AnOptionWithoutValueIsABadOne) {
  Options options;
  EXPECT_EQ(parse_options("verbose", options).size(), 1u);
  EXPECT_EQ(parse_options("verbose=", options).size(), 1u);
  EXPECT_FALSE(options.verbose);
}

TEST(Options, HelpNamesEveryOption) {
  const std::string help = options_help();
  for (const OptionInfo& option : option_table())
    EXPECT_NE(help.find("  " + std::string(option.name) + "=" + type_name(option)), std::string::npos) << option.name;
}

TEST(Options, PathsMayNameTheProcess) {
  EXPECT_EQ(expand_path("/tmp/%p.sarif", 42), "/tmp/42.sarif");
  EXPECT_EQ(expand_path("100%%p %", 42), "100%p %");
  EXPECT_EQ(expand_path("%", 42), "%");
}

} // namespace
} // namespace fletcher::tool

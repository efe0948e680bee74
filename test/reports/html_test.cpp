// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The web page: that it is well-formed whatever stands in sources and names, what it shows and what it leaves out, and
// the drawing of the tasks.
#include "reports/forms/html.hpp"
#include "reports/forms/task_drawing.hpp"
#include "reports/render.hpp"
#include "reports/symbols/subprocess.hpp"
#include "test/reports/constructs.hpp"

#include <gtest/gtest.h>

namespace fletcher::reports {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

class Html : public ::testing::Test {
protected:
  std::string page(const std::vector<Finding>& findings) {
    options.documents = {workspace.file("document.json")};
    EXPECT_TRUE(write_document(workspace.document(findings), options.documents[0]));
    options.symbolizer = workspace.symbolizer();
    options.console = false;
    options.html = workspace.file("report.html");
    EXPECT_EQ(render(options), render_done);
    return read_whole(options.html);
  }
  void expect_well_formed() const {
    const auto checked = run_filter(XMLLINT, {"--noout", "--nonet", options.html}, {}, std::chrono::seconds(30));
    EXPECT_TRUE(checked) << checked.error() << "\n" << read_whole(options.html);
  }

  Workspace workspace;
  RenderOptions options;
};

TEST_F(Html, ShowsWhatTheTextSays) {
  write_constructs(workspace);
  Finding finding = race();
  finding.cause = Cause::missing_mutual_exclusion; // the text tells no other change than the checker's
  finding.fix = "taskwait";
  finding.fix_place = {pc_at(45, 3)};
  const std::string shown = page({finding});
  expect_well_formed();
  EXPECT_EQ(count(shown, "<section"), 1U);
  EXPECT_NE(shown.find("1 error, 0 warnings"), std::string::npos);
  EXPECT_NE(
      shown.find("<li value=\"1\"><a href=\"#finding-1\"><code>sample.c:41</code></a>: data race: write of 4 bytes"),
      std::string::npos)
      << shown;
  EXPECT_NE(shown.find("<span class=\"here\">    41 |   statement_41(table);</span>"), std::string::npos);
  EXPECT_NE(shown.find("<span class=\"here\">    52 |   statement_52(table);</span>"), std::string::npos);
  EXPECT_NE(shown.find("<span class=\"added\">     + |   #pragma omp taskwait</span><span>    45 |"),
            std::string::npos);
  EXPECT_NE(shown.find("a note about the run"), std::string::npos);
  EXPECT_NE(shown.find("<li>f4 at <code>sample.c:41</code></li>"), std::string::npos);
}

TEST_F(Html, IsWellFormedWithEveryFindingAndWhateverSourcesHold) {
  workspace.write("sample.c",
                  "a < b && c > \"d\" ]]> \x01\x1b[1m \xff\xfe \xc3\xa4 <!-- </pre>\n" + std::string(3, '\n'));
  std::vector<Finding> all = one_of_each();
  all.push_back(full_finding());
  Finding first_line = race();
  first_line.accesses[1].stack = {pc_at(1, 5)};
  all.push_back(first_line);
  const std::string shown = page(all);
  expect_well_formed();
  EXPECT_NE(shown.find("a &lt; b &amp;&amp; c &gt; &quot;d&quot; ]]&gt;"), std::string::npos);
}

TEST_F(Html, ACleanRunHasAPageThatSaysSo) {
  const std::string shown = page({});
  expect_well_formed();
  EXPECT_NE(shown.find("0 errors, 0 warnings"), std::string::npos);
  EXPECT_EQ(count(shown, "<section"), 0U);
}

TEST_F(Html, SeveralRunsHaveOnePage) {
  EXPECT_EQ(count(page({race()}), "<h1>Fletcher: app</h1>"), 1U);
  options.documents.push_back(options.documents[0]);
  EXPECT_EQ(render(options), render_done);
  const std::string shown = read_whole(options.html);
  EXPECT_EQ(count(shown, "<h1>Fletcher: 2 runs</h1>"), 1U);
  EXPECT_EQ(count(shown, "seen at least 2 times"), 1U);
}

TEST_F(Html, SeveralFindingsCanBeSearchedAndLinkedTo) {
  const std::string one = page({race()});
  EXPECT_EQ(count(one, "<script"), 0U);
  Finding other = race();
  other.accesses[0].stack = {pc_at(60, 3)};
  options.group = false;
  const std::string two = page({race(), other});
  expect_well_formed();
  EXPECT_EQ(count(two, "<script"), 1U);
  EXPECT_EQ(count(two, "data-rule=\"data-race\" data-severity=\"error\" data-file=\"sample.c\""), 2U) << two;
  const auto link = two.find("id=\"f-");
  ASSERT_NE(link, std::string::npos);
  EXPECT_EQ(count(two, "href=\"#" + two.substr(link + 4, 18) + "\""), 1U) << two;
}

TEST_F(Html, WhatIsSuppressedIsCountedOnly) {
  options.suppressions = workspace.write("known", "fun:f4");
  const std::string shown = page({race()});
  EXPECT_NE(shown.find("1 suppressed"), std::string::npos) << shown;
  EXPECT_EQ(count(shown, "<section"), 0U);
}

TEST_F(Html, AFileThatCannotBeWrittenLosesNothing) {
  page({race()});
  options.html = workspace.file("nowhere/report.html");
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(render(options), render_done);
  const std::string console = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(count(console, "nowhere/report.html"), 1U) << console;
  EXPECT_NE(console.find("sample.c:41:5: error: data race"), std::string::npos) << console;
}

// ---- drawings -----------------------------------------------------------------------------------------------------

Participant access(const std::string& act, const std::vector<std::uint32_t>& tasks) {
  Participant out{act, {"/a/b.c", 7, 0}, {}};
  for (const std::uint32_t id : tasks)
    out.tasks.push_back({TaskId{id}, "task " + std::to_string(id), {"/a/b.c", id, 0}});
  return out;
}

std::string drawing(std::vector<Participant> participants, Rule rule = Rule::data_race) {
  Diagnostic diagnostic;
  diagnostic.rule = rule;
  diagnostic.participants = std::move(participants);
  return task_drawing(diagnostic, SourceText("/a"));
}

TEST(TaskDrawing, TheCommonAncestorIsOneBox) {
  const std::string drawn = drawing({access("write", {11, 3, 2, 1}), access("read", {12, 3, 2, 1})});
  EXPECT_EQ(count(drawn, "<g class=\"task\">"), 4U) << drawn;
  EXPECT_EQ(count(drawn, "<g class=\"access\">"), 2U);
  EXPECT_EQ(count(drawn, "class=\"edge\""), 5U);
  EXPECT_EQ(count(drawn, ">task 3<"), 1U);
  EXPECT_EQ(count(drawn, ">from b.c:3<"), 1U);
  EXPECT_EQ(count(drawn, ">not ordered<"), 1U);
  EXPECT_EQ(count(drawn, ">task 1<"), 0U) << "what is around all of it says nothing";
}

TEST(TaskDrawing, AnAncestorsAccessIsBesideTheChild) {
  const std::string drawn = drawing({access("write", {11, 3}), access("read", {3})});
  EXPECT_EQ(count(drawn, "<g class=\"task\">"), 2U) << drawn;
  EXPECT_EQ(count(drawn, "class=\"edge\""), 3U);
}

TEST(TaskDrawing, OneTaskMayHaveBothAccesses) {
  const std::string drawn = drawing({access("write", {3}), access("read", {3})});
  EXPECT_EQ(count(drawn, "<g class=\"task\">"), 1U) << drawn;
  EXPECT_EQ(count(drawn, "<g class=\"access\">"), 2U);
}

TEST(TaskDrawing, ALongLineageIsShortened) {
  std::vector<std::uint32_t> recursion;
  for (std::uint32_t id = 100; id > 2; --id) recursion.push_back(id);
  const std::string drawn = drawing({access("write", recursion), access("read", {500, 3})});
  EXPECT_EQ(count(drawn, "<g class=\"task\">"), 6U) << drawn;
  EXPECT_EQ(count(drawn, ">93 tasks<"), 1U) << drawn;
  EXPECT_EQ(count(drawn, ">task 100<"), 1U);
}

TEST(TaskDrawing, TasksThatAreNotKnownAreNotTheSame) {
  const std::string drawn = drawing({access("write", {0}), access("read", {0})});
  EXPECT_EQ(count(drawn, "<g class=\"task\">"), 2U) << drawn;
}

TEST(TaskDrawing, NothingIsDrawnOfNothing) {
  EXPECT_EQ(drawing({}), "");
  EXPECT_EQ(drawing({access("write", {1}), access("read", {})}), "");
}

TEST(TaskDrawing, OnlyARaceLacksOrder) {
  EXPECT_EQ(count(drawing({access("step 1", {11, 3}), access("step 2", {12, 3})}, Rule::lock_order_cycle), "missing"),
            0U);
}

} // namespace
} // namespace fletcher::reports

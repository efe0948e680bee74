// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The renderer from files to files: SARIF's content, suppressions, baseline, and what happens when something is
// missing.
#include "reports/filters/suppressions.hpp"
#include "reports/forms/sarif.hpp"
#include "reports/render.hpp"
#include "reports/symbols/subprocess.hpp"
#include "test/reports/constructs.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace fletcher::reports {
namespace {

using Log = nlohmann::json;

class Render : public ::testing::Test {
protected:
  /// Renders the findings; standard error is in `console`.
  int render_findings(const std::vector<Finding>& findings) {
    options.documents = {workspace.file("document.json")};
    EXPECT_TRUE(write_document(workspace.document(findings), options.documents[0]));
    if (options.symbolizer.empty()) options.symbolizer = workspace.symbolizer();
    return run();
  }
  int run() {
    ::testing::internal::CaptureStderr();
    const int status = render(options);
    console = ::testing::internal::GetCapturedStderr();
    return status;
  }
  Log sarif() const { return Log::parse(read_whole(options.sarif)); }

  Workspace workspace;
  RenderOptions options;
  std::string console;
};

TEST_F(Render, WritesTextToConsoleAndFile) {
  options.text = workspace.file("report.txt");
  EXPECT_EQ(render_findings({race()}), render_done);
  EXPECT_NE(console.find("sample.c:41:5: error: data race"), std::string::npos) << console;
  EXPECT_EQ(read_whole(options.text), console);
  options.console = false;
  EXPECT_EQ(run(), render_done);
  EXPECT_EQ(console, "");
}

TEST_F(Render, StatusTellsErrorsIfAsked) {
  options.status_tells_errors = true;
  EXPECT_EQ(render_findings({race()}), render_errors);
  Finding warning = race();
  warning.severity = Severity::warning;
  EXPECT_EQ(render_findings({warning}), render_done);
}

TEST_F(Render, ACleanRunSaysNothingAndLeavesAValidLog) {
  options.sarif = workspace.file("report.sarif");
  EXPECT_EQ(render_findings({}), render_done);
  EXPECT_EQ(console, "");
  const Log log = sarif();
  EXPECT_EQ(log["version"], "2.1.0");
  EXPECT_EQ(log["runs"][0]["results"].size(), 0U);
  EXPECT_EQ(log["runs"][0]["tool"]["driver"]["rules"].size(), 12U);
}

TEST_F(Render, SarifCarriesWhatTheTextSays) {
  write_constructs(workspace);
  Finding finding = race();
  finding.cause = Cause::missing_mutual_exclusion; // the text tells no other change than the checker's
  finding.fix = "taskwait";
  finding.fix_place = {pc_at(45, 3)};
  options.sarif = workspace.file("report.sarif");
  EXPECT_EQ(render_findings({finding}), render_done);
  const Log log = sarif();
  const Log& run = log["runs"][0];
  ASSERT_EQ(run["results"].size(), 1U);
  const Log& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "data-race");
  EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"], "data-race");
  const Log& physical = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(physical["artifactLocation"]["uri"], "sample.c");
  EXPECT_EQ(physical["artifactLocation"]["uriBaseId"], "%SRCROOT%");
  EXPECT_EQ(physical["region"]["startLine"], 41);
  EXPECT_EQ(physical["region"]["startColumn"], 5);
  EXPECT_NE(result["message"]["text"].get<std::string>().find("Fix at line 45: "), std::string::npos);
  EXPECT_EQ(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 52);
  const Log& flows = result["codeFlows"][0]["threadFlows"];
  ASSERT_EQ(flows.size(), 2U);
  EXPECT_EQ(flows[0]["locations"].back()["location"]["physicalLocation"]["region"]["startLine"], 41);
  EXPECT_EQ(flows[0]["locations"].front()["location"]["physicalLocation"]["region"]["startLine"], 21);
  EXPECT_EQ(flows[1]["locations"].back()["location"]["physicalLocation"]["region"]["startLine"], 52);
  EXPECT_EQ(result["partialFingerprints"][fingerprint_name].get<std::string>().size(), 16U);
  const Log& replacement = result["fixes"][0]["artifactChanges"][0]["replacements"][0];
  EXPECT_EQ(replacement["deletedRegion"]["startLine"], 45);
  EXPECT_EQ(replacement["insertedContent"]["text"], "  #pragma omp taskwait\n");
  EXPECT_EQ(run["invocations"][0]["exitCode"], 3);
  EXPECT_EQ(run["invocations"][0]["startTimeUtc"], "2023-11-14T22:13:20.123Z");
  EXPECT_EQ(run["artifacts"][physical["artifactLocation"]["index"].get<std::size_t>()]["location"]["uri"], "sample.c");
}

TEST_F(Render, UnwritablePathsAreNamedAndNothingIsLost) {
  options.console = false;
  options.text = "/nonexistent/report.txt";
  options.sarif = "/nonexistent/report.sarif";
  EXPECT_EQ(render_findings({race()}), render_done);
  EXPECT_NE(console.find("fletcher: cannot write /nonexistent/report.txt"), std::string::npos) << console;
  EXPECT_NE(console.find("fletcher: cannot write /nonexistent/report.sarif"), std::string::npos) << console;
  EXPECT_NE(console.find("sample.c:41:5: error: data race"), std::string::npos) << console;
}

TEST_F(Render, AMissingSymbolizerIsOneLineAndNothingIsLost) {
  options.symbolizer = "/nonexistent/symbolizer";
  EXPECT_EQ(render_findings({race()}), render_done);
  EXPECT_NE(console.find("fletcher: the symbolizer /nonexistent/symbolizer cannot be run"), std::string::npos)
      << console;
  EXPECT_NE(console.find("app+0x296: error: data race"), std::string::npos) << console;
  EXPECT_NE(console.find("app+0x346: note: the other access"), std::string::npos) << console;
  options.console = false;
  options.text = workspace.file("report.txt");
  const std::string shown = console;
  EXPECT_EQ(run(), render_done);
  EXPECT_EQ(read_whole(options.text), shown);
}

TEST_F(Render, ABrokenDocumentIsNamedAndTheOthersAreRendered) {
  EXPECT_EQ(render_findings({race()}), render_done);
  options.documents.push_back(workspace.write("broken.json", "{"));
  options.documents.emplace_back("/nonexistent/document.json");
  EXPECT_EQ(run(), render_failed);
  EXPECT_NE(console.find("broken.json"), std::string::npos);
  EXPECT_NE(console.find("/nonexistent/document.json"), std::string::npos);
  EXPECT_NE(console.find("error: data race"), std::string::npos);
}

TEST_F(Render, DocumentsOfSeveralRunsAreMerged) {
  render_findings({race()});
  options.documents.push_back(options.documents[0]);
  EXPECT_EQ(run(), render_done);
  EXPECT_NE(console.find("(seen at least 2 times) [data-race]"), std::string::npos) << console;
}

TEST_F(Render, SuppressedFindingsAreCountedNotShown) {
  options.status_tells_errors = true;
  options.sarif = workspace.file("report.sarif");
  for (const char* lines : {"var:table", "src:*sample.c", "[data-race]\nfun:f4", "# comment\n[data-*]\n fun:f? "}) {
    options.suppressions = workspace.write("suppressions", lines);
    EXPECT_EQ(render_findings({race()}), render_done) << lines;
    EXPECT_EQ(console, "") << lines;
    EXPECT_EQ(sarif()["runs"][0]["results"][0]["suppressions"].size(), 1U) << lines;
  }
  for (const char* lines : {"var:tab", "[lock-misuse]\nvar:table", "fun:g*", ""}) {
    options.suppressions = workspace.write("suppressions", lines);
    EXPECT_EQ(render_findings({race()}), render_errors) << lines;
  }
  options.suppressions = workspace.write("suppressions", "race:x");
  EXPECT_EQ(render_findings({race()}), render_errors);
  EXPECT_NE(console.find("suppressions:1: expected"), std::string::npos) << console;
}

TEST_F(Render, AccessesOfIgnoredCodeAreNotReported) {
  options.status_tells_errors = true;
  options.sarif = workspace.file("report.sarif");
  for (const char* lines :
       {"src:*sample.c", "fun:f5", "fun:f4", "[thread]\nfun:f5", "[{address,thread}]\nfun:{x,f}[5-9]", "[*]\nfun:f\\5",
        "#!special-case-list-v2\n# comment\n\nglobal:x\ntype:y=init\nfun:?4"}) {
    options.ignore_list = workspace.write("list", lines);
    EXPECT_EQ(render_findings({race()}), render_done) << lines;
    EXPECT_EQ(console, "") << lines;
    EXPECT_EQ(sarif()["runs"][0]["results"].size(), 0U) << lines;
  }
  for (const char* lines : {"", "src:sample", "fun:f", "[address]\nfun:*", "fun:f5=init", "fun:f2", "fun:f[^45]"}) {
    options.ignore_list = workspace.write("list", lines);
    EXPECT_EQ(render_findings({race()}), render_errors) << lines;
  }
}

TEST_F(Render, AnIgnoreListThatCannotBeReadIgnoresNothing) {
  options.status_tells_errors = true;
  for (const auto& [lines, line] : std::initializer_list<std::pair<const char*, const char*>>{
           {"fun:*\nfun f", "list:2: expected fun:"},
           {"[thread\nfun:*", "list:1: expected [section]"},
           {"#!special-case-list-v1\nfun:.*", "list:1: only version 2"},
           {"fun:*\nfun:{a", "list:2: the pattern"},
           {"fun:*\nfun:{a{b}}", "list:2: the pattern"},
           {"fun:*\nfun:[a", "list:2: the pattern"},
           {"fun:*\nfun:a\\", "list:2: the pattern"},
           {"fun:*\nsrc:", "list:2: the pattern"},
           {"fun:*\nfun:{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "list:2: the pattern"}}) {
    options.ignore_list = workspace.write("list", lines);
    EXPECT_EQ(render_findings({race()}), render_errors) << lines;
    EXPECT_NE(console.find(line), std::string::npos) << console;
  }
  options.ignore_list = "/nonexistent/list";
  EXPECT_EQ(render_findings({race()}), render_errors);
  EXPECT_NE(console.find("/nonexistent/list"), std::string::npos) << console;
}

TEST_F(Render, OnlyFindingsThatTheBaselineLacksCount) {
  options.group = false;
  options.status_tells_errors = true;
  options.sarif = workspace.file("first.sarif");
  EXPECT_EQ(render_findings({race()}), render_errors);
  options.baseline = options.sarif;
  options.sarif = workspace.file("second.sarif");
  EXPECT_EQ(render_findings({race()}), render_done);
  EXPECT_EQ(console, "");
  EXPECT_EQ(sarif()["runs"][0]["results"][0]["baselineState"], "unchanged");
  Finding other = race();
  other.accesses[0].stack = {pc_at(55, 3)};
  EXPECT_EQ(render_findings({race(), other}), render_errors);
  EXPECT_NE(console.find("1 error, 0 warnings, 1 known from the baseline"), std::string::npos) << console;
}

TEST_F(Render, AnotherPairOfAKnownCauseIsKnown) {
  options.status_tells_errors = true;
  options.sarif = workspace.file("first.sarif");
  EXPECT_EQ(render_findings({race()}), render_errors);
  options.baseline = options.sarif;
  options.sarif.clear();
  Finding other = race();
  other.accesses[0].stack = {pc_at(55, 3)};
  EXPECT_EQ(render_findings({other}), render_done);
}

TEST_F(Render, EachFindingOfTheBaselineStandsForOne) {
  options.group = false;
  std::string text; // line 42 is a copy of line 41
  for (int line = 1; line <= 60; ++line) text += "line " + std::to_string(line == 42 ? 41 : line) + "\n";
  workspace.write("sample.c", text);
  options.status_tells_errors = true;
  options.sarif = workspace.file("first.sarif");
  EXPECT_EQ(render_findings({race()}), render_errors);
  options.baseline = options.sarif;
  options.sarif.clear();
  EXPECT_EQ(render_findings({race()}), render_done);
  Finding copy = race();
  copy.accesses[0].stack = {pc_at(42, 3)};
  EXPECT_EQ(render_findings({race(), copy}), render_errors);
  EXPECT_NE(console.find("1 error, 0 warnings, 1 known from the baseline"), std::string::npos) << console;
}

TEST_F(Render, RacesOfOneLineOnTwoVariablesAreTwo) {
  options.status_tells_errors = true;
  Finding other = race();
  for (AccessDescription& access : other.accesses) access.address = 0x100;
  EXPECT_EQ(render_findings({race(), other}), render_errors);
  EXPECT_NE(console.find("2 errors"), std::string::npos) << console;
  options.suppressions = workspace.write("known", "var:table\n");
  EXPECT_EQ(render_findings({race(), other}), render_errors);
  EXPECT_NE(console.find("1 error, 0 warnings, 1 suppressed"), std::string::npos) << console;
}

/// Every form of result the writer knows, for Microsoft's validator.
TEST_F(Render, SarifPassesTheValidator) {
  const std::string validator = SARIF_VALIDATOR;
  if (validator.empty()) GTEST_SKIP() << "sarif-multitool is not installed (npm install @microsoft/sarif-multitool)";
  Finding nowhere = race();
  nowhere.accesses[0].stack = {0xdead0000};
  nowhere.accesses[1].stack = {app_base + 5};
  Finding fixed = race();
  fixed.fix = "taskwait";
  fixed.fix_place = {pc_at(45, 3)};
  auto all = one_of_each();
  all.push_back(nowhere);
  all.push_back(fixed);
  std::vector<std::string> arguments{SARIF_SCRIPT, validator};
  const auto add = [&](const std::string& name, const std::vector<Finding>& findings) {
    options.sarif = workspace.file(name);
    EXPECT_EQ(render_findings(findings), render_done);
    arguments.push_back(options.sarif);
  };
  add("empty.sarif", {});
  add("all.sarif", all);
  options.symbolizer = "/nonexistent/symbolizer";
  add("without symbols.sarif", all);
  options.symbolizer = workspace.symbolizer();
  options.source_root = "/nonexistent/root";
  add("elsewhere.sarif", all);
  options.baseline = workspace.file("all.sarif");
  options.suppressions = workspace.write("suppressions", "fun:f3");
  add("compared.sarif", all);
  const auto output = run_filter("/bin/sh", arguments, {}, std::chrono::seconds(240));
  ASSERT_TRUE(output) << "the validator found something; run " << SARIF_SCRIPT;
  EXPECT_EQ(*output, "");
}

} // namespace
} // namespace fletcher::reports

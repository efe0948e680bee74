// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One report of many runs: what is one finding, who is named, the forms of services, and what differs between reports.
#include "reports/difference.hpp"
#include "reports/explanation/occurrences.hpp"
#include "reports/render.hpp"
#include "reports/symbols/subprocess.hpp"
#include "test/reports/samples.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace fletcher::reports {
namespace {

TEST(Ranges, JoinWhatFollowsEachOther) {
  EXPECT_EQ(ranges({}), "");
  EXPECT_EQ(ranges({3}), "3");
  EXPECT_EQ(ranges({2, 1, 2}), "1, 2");
  EXPECT_EQ(ranges({7, 0, 1, 2, 3, 9, 10}), "0-3, 7, 9, 10");
}

Finding race_at_60() {
  Finding other = race();
  other.accesses[0].stack = {pc_at(60, 3)};
  return other;
}

class Merge : public ::testing::Test {
protected:
  void add(std::vector<Finding> findings, std::optional<int> rank, std::uint32_t threads = 4, Address moved = 0) {
    Document document = workspace.document(std::move(findings));
    document.run.rank = rank;
    document.run.threads = threads;
    if (moved != 0) { // the same files elsewhere in memory
      const auto move = [&](Address& address) { address += moved; };
      for (Module& module : document.modules) move(module.base), move(module.begin), move(module.end);
      for (Finding& finding : document.findings)
        for (AccessDescription& access : finding.accesses) {
          move(access.address);
          for (Address& pc : access.stack) move(pc);
          for (TaskDescription& task : access.tasks)
            for (Address& pc : task.creation) move(pc);
        }
    }
    options.documents.push_back(workspace.file("document" + std::to_string(options.documents.size()) + ".json"));
    ASSERT_TRUE(write_document(document, options.documents.back()));
  }
  std::string merge() {
    options.symbolizer = workspace.symbolizer();
    options.console = false;
    options.text = workspace.file("report.txt");
    options.junit = workspace.file("report.xml");
    options.gitlab = workspace.file("report.json");
    options.status_tells_errors = true;
    options.verbose = true;
    options.group = false;
    status = render(options);
    return read_whole(options.text);
  }

  Workspace workspace;
  RenderOptions options;
  int status = 0;
};

TEST_F(Merge, ProcessesThatFoundTheSameAreNamedTogether) {
  add({race()}, 0);
  add({race(), race_at_60()}, 1, 4, 0x10000000);
  add({}, 2, 8);
  add({race()}, 3, 2);
  const std::string text = merge();
  EXPECT_EQ(status, render_errors);
  EXPECT_NE(text.find("note: seen by ranks 0, 1, 3 of 4 processes, with 2, 4 threads"), std::string::npos) << text;
  EXPECT_NE(text.find("note: seen by rank 1 of 4 processes, with 4 threads"), std::string::npos) << text;
  EXPECT_NE(text.find(", 2, 4, 8 threads, ranks 0-3 of MPI_COMM_WORLD, 4 processes: "), std::string::npos) << text;
  EXPECT_NE(text.find("\nfletcher: 2 errors, 0 warnings\n"), std::string::npos) << text;
}

TEST_F(Merge, FormsOfServicesHaveEachFinding) {
  Finding odd = race_at_60();
  odd.rule = Rule::lock_misuse;
  odd.message = "a lock <&\"]]>,:%";
  odd.steps = {{"here", {pc_at(41, 3)}}};
  odd.accesses.clear();
  add({race(), odd}, std::nullopt);
  merge();
  const auto checked = run_filter(XMLLINT, {"--noout", "--nonet", options.junit}, {}, std::chrono::seconds(30));
  EXPECT_TRUE(checked) << checked.error();
  const std::string junit = read_whole(options.junit);
  EXPECT_NE(junit.find("tests=\"2\" failures=\"2\""), std::string::npos) << junit;
  EXPECT_NE(junit.find("<testcase classname=\"fletcher.data-race\" name=\"sample.c:41: "), std::string::npos) << junit;
  const auto quality = nlohmann::json::parse(read_whole(options.gitlab));
  ASSERT_EQ(quality.size(), 2U);
  for (const auto& one : quality) {
    EXPECT_EQ(one["location"]["path"], "sample.c");
    EXPECT_EQ(one["severity"], "critical");
    EXPECT_EQ(one["fingerprint"].get<std::string>().size(), 16U);
  }
  options.github = true;
  ::testing::internal::CaptureStdout();
  merge();
  const std::string annotations = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(annotations.find("::error file=sample.c,line=41,"), std::string::npos) << annotations;
  EXPECT_NE(annotations.find("]]>,:%25"), std::string::npos) << annotations;
}

/// The answers of many documents' questions, which are asked together, reach the right ones.
TEST_F(Merge, EachOfManyDocumentsKeepsItsOwnPlaces) {
  constexpr int many = 40; // more than are explained at once
  for (int i = 0; i < many; ++i) {
    Finding own = race();
    own.accesses[0].stack = {pc_at(static_cast<Address>(1 + i), 7)};
    add({race(), own}, i, 4, static_cast<Address>(i) * 0x1000000);
  }
  const std::string text = merge();
  EXPECT_NE(text.find("note: seen by ranks 0-39 of 40 processes"), std::string::npos) << text;
  for (int i = 0; i < many; ++i)
    EXPECT_NE(text.find("note: seen by rank " + std::to_string(i) + " of 40 processes, with 4 threads\nsample.c:" +
                        std::to_string(1 + i) + ":7: note: the other access"),
              std::string::npos)
        << i << '\n'
        << text;
}

/// What makes the symbolizer end costs only the document that asks it: here the code of line 59.
TEST_F(Merge, ADocumentThatCannotBeNamedTakesNoNamesFromOthers) {
  std::string script = read_whole(workspace.symbolizer());
  const std::string computed = "n=$((offset))\n";
  script.insert(script.find(computed) + computed.size(), "  [ $((n / 16)) -eq 59 ] && exit 1\n");
  workspace.write("symbolizer", script);
  Finding unnamed = race();
  unnamed.accesses[0].stack = {pc_at(59, 3)};
  add({race()}, 0);
  add({unnamed}, 1);
  add({race_at_60()}, 2);
  const std::string text = merge();
  EXPECT_NE(text.find("sample.c:52:5"), std::string::npos) << text;
  EXPECT_NE(text.find("sample.c:60:3"), std::string::npos) << text;
  EXPECT_NE(text.find("places are shown as module+offset"), std::string::npos) << text;
  EXPECT_NE(text.find("app+0x3b4"), std::string::npos) << text;
}

TEST_F(Merge, NothingFoundIsAPassedTest) {
  add({}, std::nullopt);
  merge();
  EXPECT_EQ(status, render_done);
  EXPECT_NE(read_whole(options.junit).find("tests=\"1\" failures=\"0\""), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(read_whole(options.gitlab)).size(), 0U);
}

TEST_F(Merge, ReportsDifferByTheirFindings) {
  add({race()}, std::nullopt);
  add({race_at_60()}, std::nullopt);
  const std::vector<std::string> documents = options.documents;
  options.symbolizer = workspace.symbolizer();
  options.sarif = workspace.file("old.sarif");
  options.documents = {documents[0]};
  merge();
  const auto of = [&](const std::vector<std::string>& paths) {
    options.documents = paths;
    auto found = short_findings(options);
    EXPECT_TRUE(found);
    return *found;
  };
  const auto old = of({options.sarif}), same = of({documents[0]}), both = of(documents), other = of({documents[1]});
  ASSERT_EQ(old.size(), 1U);
  EXPECT_EQ(difference(old, same).unchanged, 1U);
  EXPECT_EQ(difference(old, both).fresh.size(), 1U);
  EXPECT_EQ(difference(old, other).fresh.size(), 1U);
  ASSERT_EQ(difference(old, other).gone.size(), 1U);
  EXPECT_TRUE(difference(old, other).gone[0].line.starts_with("sample.c:41: error: ")) << old[0].line;
  EXPECT_EQ(difference(both, both).unchanged, 2U);
  options.documents = {workspace.write("broken", "{\"runs\": 3}")};
  EXPECT_FALSE(short_findings(options));
}

} // namespace
} // namespace fletcher::reports

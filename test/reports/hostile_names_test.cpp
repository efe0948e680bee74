// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of files, functions, variables and programs with whatever a byte can be, and sources that are gone or have
// changed since the program was built: each form stays what it is, and no name becomes a line or a command of its own.
#include "reports/document/words.hpp"
#include "reports/explanation/causes/causes.hpp"
#include "reports/forms/html.hpp"
#include "reports/forms/sarif.hpp"
#include "reports/forms/services.hpp"
#include "reports/forms/text.hpp"
#include "reports/symbols/subprocess.hpp"
#include "test/reports/samples.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

namespace fletcher::reports {
namespace {

/// The state of the source that the findings are about.
enum class Source { same, gone, shorter, binary };

const std::vector<std::string> names{
    R"(a"b'c`d\e.c)",
    "<a href=\"x\">&amp;]]></script><!--.c",
    "gr\xc3\xbc\xc3\x9f \xe6\xbc\xa2\xe5\xad\x97 \xf0\x9f\x90\x9b.c",
    "not utf-8 \xff\xfe\xc3\x28\xed\xa0\x80.c",
    "a\nb\r\n::error::c\td\x1b[31me\x07\x7f\xc2\x9b.c",
    "%p %s %25 {object} {task 2} ../../etc:1,2::x.c",
    " \xe2\x80\xae reversed \xe2\x80\x8b.c",
    std::string(5000, 'n') + ".c",
};

/// As `explain` makes them: names in sentences are on one line.
Diagnostic finding(const std::string& file, const std::string& any) {
  const std::string name = one_line(any);
  Frame frame;
  frame.function.name = frame.compiler_name = any;
  frame.place = {file, 3, 5};
  frame.module = "/lib/" + any;
  Diagnostic out;
  out.message = "data race: write of 4 bytes of '" + name + "'";
  out.variable = name;
  out.place = frame.place;
  out.stack = {frame, frame};
  out.notes = {{Note::Kind::other_access, "the other access of '" + name + "'", {frame}, {file, 5, 1}},
               {Note::Kind::cause, "why: " + name, {}, out.place},
               {Note::Kind::fix, "fix: name '" + name + "'", {}, {file, 2, 1}}};
  out.declared = {file, 1, 1};
  out.edits = {{{file, 2, 1}, "#pragma omp critical (" + name + ")", false}};
  out.participants = {{"write of 4 bytes", out.place, {{TaskId{2}, name, {file, 2, 1}, 0}}},
                      {"read of 4 bytes", {file, 5, 1}, {{TaskId{3}, name, {file, 4, 1}, 0}}}};
  out.also = {{"write of '" + name + "'", Rule::data_race, {frame}, {file, 5, 1}, 2}};
  out.fingerprint = "0123456789abcdef";
  out.runs = {0};
  return out;
}

bool has_control_character(const std::string& text) {
  return std::ranges::any_of(text, [](unsigned char c) { return (c < ' ' && c != '\n' && c != '\t') || c == 0x7f; });
}

void expect_xml(const std::string& path) {
  const auto checked = run_filter(XMLLINT, {"--noout", "--nonet", path}, {}, std::chrono::seconds(30));
  EXPECT_TRUE(checked) << checked.error();
}

class HostileNames : public ::testing::TestWithParam<std::tuple<std::size_t, Source>> {};

TEST_P(HostileNames, EachFormStaysWhatItIs) {
  const auto& [index, source] = GetParam();
  const std::string& name = names[index];
  const Workspace workspace;
  SourceText sources(workspace.folder().string());
  const std::string file =
      source == Source::gone ? workspace.file("gone/") + name : workspace.folder().string() + "/" + name;
  if (source == Source::same)
    sources.put(file, "int x; // " + name + "\n#pragma omp task\n  x = 1;\n#pragma omp task\n  f(x);\n");
  if (source == Source::shorter) sources.put(file, "int x;");
  if (source == Source::binary) sources.put(file, std::string("\0\x01\xff\xfe\n\n\0 ]]>\n\x1b[1m\n", 16));
  reports::Run run;
  run.program = "/bin/" + name;
  run.arguments = {name, name};
  run.notes = {name};
  run.tool_version = "1";
  const std::vector<reports::Run> runs{run};
  const std::vector<Diagnostic> all = grouped_by_cause({finding(file, name)}, sources);
  ASSERT_EQ(all.size(), 1U);

  const std::string text = text_report(runs, all, sources, {});
  EXPECT_FALSE(has_control_character(text)) << text;
  EXPECT_EQ(text.find("\n::error"), std::string::npos);
  const auto sarif = nlohmann::json::parse(sarif_report(runs, all, sources, {name}));
  EXPECT_EQ(sarif.at("runs").at(0).at("results").size(), 1U);
  const auto quality = nlohmann::json::parse(code_quality_report(all, sources));
  EXPECT_EQ(quality.size(), 1U);
  expect_xml(workspace.write("report.xml", junit_report(runs, all, sources)));
  const std::string page = html_report(runs, all, sources, {name});
  EXPECT_FALSE(has_control_character(page));
  EXPECT_EQ(page.find("<a href=\"x\">"), std::string::npos);
  expect_xml(workspace.write("report.html", page));
  const std::string annotations = github_annotations(all, sources);
  EXPECT_EQ(std::ranges::count(annotations, '\n'), 1) << annotations;
  EXPECT_FALSE(has_control_character(annotations)) << annotations;
}

INSTANTIATE_TEST_SUITE_P(All, HostileNames,
                         ::testing::Combine(::testing::Range(std::size_t{0}, names.size()),
                                            ::testing::Values(Source::same, Source::gone, Source::shorter,
                                                              Source::binary)));

} // namespace
} // namespace fletcher::reports

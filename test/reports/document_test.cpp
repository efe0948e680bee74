// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The document's JSON: what goes in comes out; whatever else comes in is refused with one line.
#include "reports/document/plain_text.hpp"
#include "test/reports/samples.hpp"

#include <gtest/gtest.h>

#include <random>

namespace fletcher::reports {
namespace {

void expect_one_line(const std::string& text) {
  EXPECT_FALSE(text.empty());
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST(Document, ComesBackAsItWent) {
  const Workspace workspace;
  const std::string text = to_json(workspace.document(one_of_each()));
  const auto back = from_json(text);
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(to_json(*back), text);
  const Finding& full = back->findings.back();
  EXPECT_EQ(full.message, full_finding().message);
  EXPECT_EQ(full.accesses[1].declared[1].type, DependenceType::inout);
  EXPECT_TRUE(full.accesses[1].declared[1].all_memory);
  EXPECT_EQ(full.accesses[0].locks[0].acquired_at, full_finding().accesses[0].locks[0].acquired_at);
  EXPECT_EQ(full.object.origin, full_finding().object.origin);
  EXPECT_EQ(full.object.thread, ThreadId{3});
  ASSERT_EQ(full.stack_variables.size(), 1U);
  EXPECT_EQ(full.stack_variables[0].address, full_finding().stack_variables[0].address);
  const StackFrame frame = full.stack_variables[0].frame, expected = full_finding().stack_variables[0].frame;
  EXPECT_EQ(frame.call, expected.call);
  ASSERT_TRUE(frame.details != nullptr);
  EXPECT_EQ(*frame.details, *expected.details);
  EXPECT_EQ(full.fix, "taskwait");
  EXPECT_EQ(back->run.exit_status, 3);
  EXPECT_EQ(back->run.arguments, (std::vector<std::string>{"-n", "10 20"}));
}

TEST(Document, AnyTruncationIsAnError) {
  const Workspace workspace;
  const std::string text = to_json(workspace.document({full_finding()}));
  // The last two characters are a newline after the closing brace.
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {
    const auto back = from_json(std::string_view(text).substr(0, length));
    ASSERT_FALSE(back) << length;
    expect_one_line(back.error());
  }
}

TEST(Document, DamageIsRefusedOrReadButNeverThrown) {
  const Workspace workspace;
  const std::string text = to_json(workspace.document({full_finding()}));
  std::mt19937 random(17);
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = text;
    for (int i = 0; i < 3; ++i) damaged[random() % damaged.size()] = static_cast<char>(' ' + random() % 95);
    const auto back = from_json(damaged);
    if (back) {
      EXPECT_FALSE(to_json(*back).empty());
      continue;
    }
    expect_one_line(back.error());
    ++refused;
  }
  EXPECT_GT(refused, 1000);
}

TEST(Document, ForeignTextIsRefused) {
  for (const char* text : {"", "{}", "[]", "null", "3", "{\"version\": \"2.1.0\", \"runs\": []}",
                           "{\"fletcher-document\": 2}", "{\"fletcher-document\": 1}", "\x7f\x45\x4c\x46",
                           R"({"fletcher-document": 1, "run": 3, "modules": {}, "findings": []})"}) {
    const auto back = from_json(text);
    EXPECT_FALSE(back) << text;
    if (!back) expect_one_line(back.error());
  }
  EXPECT_NE(from_json("{\"fletcher-document\": 2}").error().find("version 2"), std::string::npos);
}

TEST(Document, UnknownNamesAndModulesAreRefused) {
  const Workspace workspace;
  const std::string text = to_json(workspace.document({race()}));
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string out = text;
    const auto position = out.find(from);
    EXPECT_NE(position, std::string::npos) << from;
    return out.replace(position, from.size(), to);
  };
  EXPECT_NE(from_json(replaced("\"data-race\"", "\"no-such-rule\"")).error().find("no-such-rule"), std::string::npos);
  EXPECT_FALSE(from_json(replaced("\"native\"", "\"naive\"")));
  std::string huge = text;
  const auto pc = huge.find('0', huge.find("\"stack\""));
  ASSERT_NE(pc, std::string::npos);
  EXPECT_NE(from_json(huge.replace(pc, 1, "99")).error().find("module index"), std::string::npos);
}

TEST(Document, NumbersThatNoIntegerHoldsAreRefused) {
  const Workspace workspace;
  const std::string text = to_json(workspace.document({race()}));
  const auto number = text.find_first_of("0123456789", text.find("\"threads\""));
  ASSERT_NE(number, std::string::npos);
  const auto end = text.find_first_not_of("0123456789", number);
  for (const char* instead : {"1e30", "-1e30", "2.5", "318447318447318447318447"}) {
    std::string damaged = text;
    const auto back = from_json(damaged.replace(number, end - number, instead));
    ASSERT_FALSE(back) << instead;
    expect_one_line(back.error());
    EXPECT_NE(back.error().find("threads"), std::string::npos) << back.error();
  }
}

TEST(Document, AddressesFindTheirModule) {
  const Workspace workspace;
  const Document document = workspace.document({});
  EXPECT_EQ(document.locate(app_base)->offset, 0U);
  EXPECT_EQ(document.locate(app_base)->module, 0U);
  EXPECT_EQ(document.locate(0x900010)->module, 1U);
  EXPECT_FALSE(document.locate(app_base - 1));
  EXPECT_FALSE(document.locate(app_base + 0x10000));
  EXPECT_FALSE(document.locate(0));
}

TEST(Document, FilesAreWrittenAndProblemsNamed) {
  const Workspace workspace;
  const std::string path = workspace.file("document.json");
  ASSERT_TRUE(write_document(workspace.document({race()}), path));
  ASSERT_TRUE(read_document(path));
  EXPECT_EQ(read_document(path)->findings.size(), 1U);
  EXPECT_NE(read_document("/nonexistent/x").error().find("/nonexistent/x"), std::string::npos);
  EXPECT_NE(write_document({}, "/nonexistent/x").error().find("/nonexistent/x"), std::string::npos);
  const auto broken = read_document(workspace.write("broken.json", "{\"fletcher-document\": 1,"));
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().find("broken.json"), std::string::npos);
}

TEST(PlainText, NamesEveryFindingByModuleAndOffset) {
  const Workspace workspace;
  const std::string text = plain_text(workspace.document(one_of_each()));
  EXPECT_NE(text.find("app+0x1e3: error: data race: read of 4 bytes"), std::string::npos) << text;
  EXPECT_NE(text.find("app+0x296: note: the other access: write of 4 bytes"), std::string::npos) << text;
  for (const char* rule : {"[data-race]", "[lock-misuse]", "[mapping-bug]"})
    EXPECT_NE(text.find(rule), std::string::npos) << rule;
  EXPECT_EQ(plain_text(workspace.document({})), "");
}

TEST(PlainText, SaysWhereAProgramDiedThoughNothingWasFound) {
  const Workspace workspace;
  Document document = workspace.document({});
  document.run.death.emplace(full_finding().steps.front()).message = "SIGSEGV";
  const auto back = from_json(to_json(document));
  ASSERT_TRUE(back) << back.error();
  EXPECT_NE(plain_text(*back).find("note: the program died of SIGSEGV here\n"), std::string::npos) << plain_text(*back);
}

} // namespace
} // namespace fletcher::reports

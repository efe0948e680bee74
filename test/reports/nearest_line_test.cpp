// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code without a line, by a stand-in for llvm-symbolizer: below 0x100 the function f has lines, and its last 8 bytes
// are of g, inlined at line 12; above it has none, and from 0x200 on neither has h.
#include "reports/symbols/nearest_line.hpp"
#include "test/reports/samples.hpp"

#include <gtest/gtest.h>

namespace fletcher::reports {
namespace {

constexpr const char* stand_in = R"(#!/bin/sh
frame() { printf '{"Column":3,"FileName":"a.c","FunctionName":"%s","Line":%d,"StartLine":0}' "$1" "$2"; }
while read -r kind file offset; do
  n=$((offset))
  printf '{"Address":"%s","ModuleName":"app","Symbol":[' "$offset"
  if [ $n -ge 512 ]; then frame h 0
  elif [ $n -ge 256 ]; then frame f 0
  elif [ $n -ge 248 ]; then frame g 7; printf ,; frame f 12
  else frame f 11
  fi
  echo ']}'
done
)";

CodeAnswer innermost_at(Address offset) {
  const Workspace workspace;
  const std::string symbolizer = workspace.write("lines", stand_in);
  std::filesystem::permissions(symbolizer, std::filesystem::perms::owner_all);
  const std::vector<Query> queries{{Query::Kind::data, "app", 0x9000}, {Query::Kind::code, "app", offset}};
  std::vector<Answer> answers(1);
  const auto told = ask(symbolizer, {queries[1]});
  EXPECT_TRUE(told && told->front().code.size() >= 1);
  answers.push_back(told->front());
  find_nearest_lines(symbolizer, queries, answers);
  return answers[1].code.front();
}

TEST(NearestLine, IsThatOfTheCodeBeforeInTheSameFunction) {
  const CodeAnswer found = innermost_at(0x110);
  EXPECT_EQ(found.function, "f");
  EXPECT_EQ(found.file, "a.c");
  EXPECT_EQ(found.line, 12U); // g is called there
  EXPECT_EQ(found.column, 0U);
}

TEST(NearestLine, IsNotFarAwayAndNotAnotherFunctions) {
  EXPECT_EQ(innermost_at(0x1f0).line, 0U);
  EXPECT_EQ(innermost_at(0x200).line, 0U);
}

TEST(NearestLine, AKnownLineStays) {
  EXPECT_EQ(innermost_at(0xfa).line, 7U);
  EXPECT_EQ(innermost_at(0x20).column, 3U);
}

} // namespace
} // namespace fletcher::reports

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The language of the tables.
#include "lib/effects/extent.hpp"
#include "lib/effects/parse.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fletcher::effects {
namespace {

std::string mistake(std::string_view text) {
  Tables tables;
  const auto mistakes = tables.add(text);
  if (mistakes.empty()) return "";
  return std::to_string(mistakes.front().line) + ":" + std::to_string(mistakes.front().column) + ": " +
         mistakes.front().message;
}

TEST(EffectsLanguage, FunctionOfTheUsersOwn) {
  Tables tables;
  ASSERT_TRUE(tables.add("solve(n: integer, a: array, x: array): reads a(n * n) updates x(n)").empty());
  const Table table = tables.table();
  const auto known = find(table, "solve");
  ASSERT_TRUE(known);
  const auto signature = Signature::of(*known);
  double a = 0, x = 0;
  Registers registers{};
  registers.general[0] = 3;
  registers.general[1] = reinterpret_cast<std::uint64_t>(&a);
  registers.general[2] = reinterpret_cast<std::uint64_t>(&x);
  const Arguments arguments(*signature, registers);
  const Extent extent = extent_of(arguments, signature->effects()[0]);
  EXPECT_EQ(extent.rows, 9);
  EXPECT_EQ(extent.first, reinterpret_cast<std::byte*>(&a));
  EXPECT_EQ(extent.element, sizeof(double));
}

TEST(EffectsLanguage, MemoryThatAPointerInAnArgumentLeadsTo) {
  Tables tables;
  ASSERT_TRUE(tables.add("unhook(node: bytes): updates node(16, through 8)").empty());
  const Table table = tables.table();
  const auto known = find(table, "unhook");
  ASSERT_TRUE(known);
  const auto signature = Signature::of(*known);
  struct Node {
    Node *next = nullptr, *previous = nullptr;
  } first, second{nullptr, &first};
  Registers registers{};
  const auto begin = [&](const Node* node) {
    registers.general[0] = reinterpret_cast<std::uint64_t>(node);
    return extent_of(Arguments(*signature, registers), signature->effects()[0]).first;
  };
  EXPECT_EQ(begin(&second), reinterpret_cast<std::byte*>(&first));
  EXPECT_EQ(begin(&first), nullptr);
  EXPECT_EQ(begin(nullptr), nullptr);
}

TEST(EffectsLanguage, OneLineIsAllTypes) {
  Tables tables;
  ASSERT_TRUE(tables.add("forms fortran cblas\nlet integer: n\nsdcz first second (n, X: array): reads X(n)").empty());
  const Table table = tables.table();
  EXPECT_EQ(table.functions.size(), 8u);
  for (const char* symbol : {"sfirst_", "zsecond_", "cblas_dfirst", "dfirst_64_", "cblas_dfirst64_"})
    EXPECT_TRUE(find(table, symbol)) << symbol;
  for (const char* symbol : {"dfirst", "first_", "LAPACKE_dfirst", "cblas_", "_"})
    EXPECT_FALSE(find(table, symbol)) << symbol;
  EXPECT_TRUE(find(table, "dfirst_64_")->form.wide);
}

TEST(EffectsLanguage, MistakesHaveAPlace) {
  EXPECT_EQ(mistake("solve(n: integer): reads m(n)"),
            "1:26: expected the name of a parameter that is an array, not 'm'");
  EXPECT_EQ(mistake("solve(n):"),
            "1:7: expected a parameter with its kind (name: kind), or one of which 'let' says it, not 'n'");
  EXPECT_EQ(mistake("# first\nsolve(n: integer, x: array)\n  takes x(n)"), "3:3: expected ':', not 'takes'");
  EXPECT_EQ(mistake("solve(x: array): reads x(n"), "1:26: expected a parameter of the function, not 'n'");
  EXPECT_EQ(mistake("solve(n: integer, x: array): reads x(n"), "1:39: expected ')', not the end");
  EXPECT_EQ(mistake("forms pascal"), "1:7: expected fortran, cblas, lapacke or c, not 'pascal'");
}

} // namespace
} // namespace fletcher::effects

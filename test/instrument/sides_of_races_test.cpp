// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What reports say of the two accesses of a race: the size that each has by its own code, and that a block was freed.

#include "test/instrument/toolchain.hpp"

#include <gtest/gtest.h>

namespace {

using namespace fletcher::test;

/// What is found in two tasks that execute these statements, the first one first.
std::string told(const Workshop& shop, const Toolchain& toolchain, const std::string& first,
                 const std::string& second) {
  shop.write("tasks.c", R"(#include <stdlib.h>
#include <string.h>
int table[10];
size_t length;
int sum;
int main(void) {
  char* text = strcpy(malloc(32), "hello");
#pragma omp parallel num_threads(1)
#pragma omp single
  {
#pragma omp task
    )" + first + R"(
#pragma omp task
    )" + second + R"(
  }
  return 0;
}
)");
  if (!build(shop, toolchain, (shop.folder() / "tasks.c").string(), "-O1", "program")) return {};
  return shop.run("./program").errors;
}

class SidesOfRaces : public testing::TestWithParam<const Toolchain* (*)()> {
protected:
  void expect(const std::string& first, const std::string& second, const std::vector<std::string>& words) {
    const std::string text = told(shop_, *GetParam()(), first, second);
    for (const std::string& part : words) EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  const Workshop shop_;
};

TEST_P(SidesOfRaces, ATextIsReadAsAWhole) {
  expect("text[2] = 'L';", "length = strlen(text);", {"write of 1 byte of the heap", "access: read of 6 bytes of"});
}

TEST_P(SidesOfRaces, HowMuchOfATextWasReadBeforeIsNotKnown) {
  expect("length = strlen(text);", "text[2] = 'L';", {"write of 1 byte of the heap", "access: read of the heap block"});
}

TEST_P(SidesOfRaces, OneAccessOfSeveralIsTold) {
  expect("{ table[2] = 1; for (volatile int i = 0; i < 4; i++) sum += table[i]; }", "table[3] = 1;",
         {"write of 4 bytes of 'table' (bytes 12-15 of 40)", "access: read of 4 bytes of 'table' (bytes 12-15 of 40)"});
}

TEST_P(SidesOfRaces, AFreeIsOfTheBlock) { // whose first bytes are the allocator's then
  expect("text[20] = 'L';", "free(text);",
         {"free of the heap block allocated at line 7", "access: write of 1 byte of the heap block"});
  expect("free(text);", "text[20] = 'L';",
         {"write of 1 byte of the heap block", "access: free of the heap block allocated at line 7"});
}

INSTANTIATE_TEST_SUITE_P(Of, SidesOfRaces, testing::Values([] { return &clang(); }, [] { return &gcc(); }),
                         [](const auto& instance) { return instance.param()->name; });

} // namespace

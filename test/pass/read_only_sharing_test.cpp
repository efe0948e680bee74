// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that a parallel region only reads stay in registers, whatever its loops store; those that it writes don't.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using testing::IsSupersetOf;

TEST(ReadOnlySharing, LetsLoopsOverBytesBeRanges) {
  for (const char* level : {"-O1", "-O2"}) {
    const auto loop =
        compile("void f(unsigned char* a, unsigned char* b, int w, int h) {\n#pragma omp parallel for\n"
                "for (int y = 0; y < h; y++)\nfor (int x = 0; x < w; x++) a[y * w + x] = b[y * w + x] / 2; }",
                std::string("-fopenmp ") + level);
    EXPECT_THAT(loop.checks, IsSupersetOf({"read_range", "write_range"})) << level << loop.code;
  }
}

TEST(ReadOnlySharing, LeavesAloneWhatIsKnownElsewhere) {
  const Workshop shop;
  shop.write("end.c", R"(
#include <stdio.h>
static int* known;
__attribute__((noinline)) static int* same(int* variable) { return known = variable; }
int main(void) {
  int end = 100, count = 0;
  int* const other = same(&end);
#pragma omp parallel num_threads(1) shared(end, count)
  for (int i = 0; i < end; i++) other[0] = i > 10 ? 20 : 90, count++;
  printf("%d\n", count);
}
)");
  const Outcome built = shop.run(driver() + " -g -O2 -fopenmp end.c -o end");
  ASSERT_EQ(built.status, 0) << built.errors;
  EXPECT_EQ(shop.run("./end").output, "20\n");
}

TEST(ReadOnlySharing, LeavesWhatTheRegionWritesAsItIs) {
  const Workshop shop;
  shop.write("turns.c", R"(
#include <stdio.h>
int main(void) {
  int turn = 0, rounds = 100, done = 0;
#pragma omp parallel num_threads(2) shared(turn, rounds, done)
  {
    int mine = 0;
    while (mine < rounds) {
#pragma omp critical
      if (done < rounds && turn % 2 == mine % 2) turn++, done++;
      mine++;
#pragma omp barrier
    }
  }
  printf("%d %d\n", turn, done);
}
)");
  const Outcome built = shop.run(driver() + " -g -O2 -fopenmp turns.c -o turns");
  ASSERT_EQ(built.status, 0) << built.errors;
  const Outcome plain = shop.run("clang-19 -O0 -fopenmp turns.c -o plain && OMP_WAIT_POLICY=passive ./plain");
  ASSERT_FALSE(plain.output.empty());
  EXPECT_EQ(shop.run("OMP_WAIT_POLICY=passive ./turns").output, plain.output);
}

} // namespace
} // namespace fletcher::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library is built whichever linker is the default: configured anew with each that is installed, with the objects
// that are there.

#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

class Linkers : public testing::TestWithParam<const char*> {
protected:
  Workshop workshop_;
};

TEST_P(Linkers, MakeTheLibraryAndTheArchive) {
  const std::string linker = GetParam();
  if (workshop_.run("command -v ld." + linker).status != 0) GTEST_SKIP() << "no ld." << linker;

  const Outcome configured = workshop_.run(
      "'" CMAKE_PROGRAM "' -G Ninja -S '" SOURCE_TREE "' -B build -DCMAKE_BUILD_TYPE=Release -DFLETCHER_TESTS=OFF"
      " -DCMAKE_C_COMPILER='" C_COMPILER "' -DCMAKE_CXX_COMPILER='" CXX_COMPILER "'"
      " -DCMAKE_LINKER=\"$(command -v ld." +
      linker +
      ")\""
      " -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=" +
      linker + " -DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=" + linker);
  ASSERT_EQ(configured.status, 0) << configured.output << configured.errors;

  // The compiler has done its part: what is left are the commands that archive and link.
  ASSERT_EQ(workshop_
                .run("cp -r '" BUILD_TREE "/libfletcher' '" BUILD_TREE "/libeffects' '" BUILD_TREE
                     "/checker' '" BUILD_TREE "/reports' build/"
                     " && rm -f build/libfletcher/fletcher_bundle.o"
                     " && ninja -C build -t commands lib/libfletcher.so lib/libfletcher.a | sed -n '/ -c /!s/.*/( & "
                     ")/p' >commands")
                .status,
            0);
  const Outcome linked = workshop_.run("cd build && mkdir -p lib && sh -e ../commands");
  ASSERT_EQ(linked.status, 0) << linked.output << linked.errors;

  workshop_.write("a.c", correct_c);
  for (const char* library :
       {"build/lib/libfletcher.a -static-libgcc -ldl -lm -lpthread -Wl,--export-dynamic", "build/lib/libfletcher.so"}) {
    const Outcome built =
        workshop_.run(std::string("clang-19 -fopenmp -fuse-ld=") + linker + " a.c " + library + " -o a");
    ASSERT_EQ(built.status, 0) << library << built.errors;
    const Outcome outcome = workshop_.run("LD_LIBRARY_PATH=build/lib FLETCHER_OPTIONS=verbose=1 ./a");
    EXPECT_EQ(outcome.status, 0) << library << outcome.errors;
    EXPECT_EQ(outcome.output, "45\n") << library;
    EXPECT_TRUE(in_order(outcome.errors, {"checking at level graph"})) << library << outcome.errors;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Linkers, testing::Values("bfd", "gold", "lld", "mold"),
                         [](const auto& info) { return info.param; });

} // namespace
} // namespace fletcher::test

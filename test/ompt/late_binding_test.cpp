// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What entry points of the runtime know by their arguments, in programs that are neither linked to the library nor
// started by the command: OMP_TOOL_LIBRARIES alone, however the program was linked.

#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr int error_found = 66;
const std::string opened = "OMP_TOOL_LIBRARIES='" FLETCHER_LIBRARY "' ";
const std::string clang = FLETCHER_TEST_CLANG " -g -O1 -fopenmp ";

/// Leaves a task that knows a variable of its frame, by the argument block alone.
const std::string leaves_frame = "static volatile int sink;\n"
                                 "__attribute__((noinline)) static void work(void) {\n"
                                 "  int mine = 1;\n"
                                 "#pragma omp task shared(mine)\n"
                                 "  sink = mine;\n"
                                 "}\n";
const std::string in_region = "#pragma omp parallel\n"
                              "#pragma omp single\n"
                              "  { work(); }\n";

void expect_finding(const Outcome& outcome, const std::string& way) {
  EXPECT_EQ(outcome.status, error_found) << way;
  EXPECT_NE(outcome.errors.find("[missing-taskwait]"), std::string::npos) << way << "\n" << outcome.errors;
}

TEST(LateBinding, CallsOfAllKindsPassThroughTheLibrary) {
  const Workshop workshop;
  workshop.write("a.c", leaves_frame + "int main(void) {\n" + in_region + "  return 0;\n}\n");
  for (const char* flags : {"-Wl,-z,lazy", "-Wl,-z,now", "-Wl,-z,now,-z,relro", "-fno-plt", "-no-pie -fno-pie"}) {
    ASSERT_EQ(workshop.run(clang + "a.c -o a " + flags).status, 0) << flags;
    expect_finding(workshop.run(opened + "./a"), flags);
  }
  ASSERT_EQ(workshop.run(clang + "a.c -o a").status, 0);
  expect_finding(workshop.run("LD_BIND_NOW=1 " + opened + "./a"), "LD_BIND_NOW");
}

TEST(LateBinding, ALibraryThatIsLoadedLaterIsSeenFromTheNextRegionOn) {
  const Workshop workshop;
  workshop.write("b.c", leaves_frame + "void plugin(void) {\n" + in_region + "}\n");
  workshop.write("a.c", "#include <dlfcn.h>\n"
                        "#include <stdio.h>\n"
                        "int main(void) {\n"
                        "  int sum = 0;\n"
                        "#pragma omp parallel reduction(+ : sum)\n"
                        "  sum++;\n"
                        "  void *library = dlopen(\"./b.so\", RTLD_NOW);\n"
                        "  void (*plugin)(void) = (void (*)(void))dlsym(library, \"plugin\");\n"
                        "  plugin();\n"
                        "  return sum == 2 ? 0 : 1;\n"
                        "}\n");
  ASSERT_EQ(workshop.run(clang + "-shared -fPIC b.c -o b.so").status, 0);
  ASSERT_EQ(workshop.run(clang + "a.c -o a").status, 0);
  expect_finding(workshop.run(opened + "./a"), "loaded later");
}

TEST(LateBinding, ARuntimeThatCameWithALibraryIsFound) {
  const Workshop workshop;
  workshop.write("b.c", leaves_frame + "void plugin(void) {\n" + in_region + "}\n");
  workshop.write("a.c", "#include <dlfcn.h>\n"
                        "int main(void) {\n"
                        "  void *library = dlopen(\"./b.so\", RTLD_NOW | RTLD_LOCAL);\n"
                        "  ((void (*)(void))dlsym(library, \"plugin\"))();\n"
                        "  return 0;\n"
                        "}\n");
  ASSERT_EQ(workshop.run(clang + "-shared -fPIC b.c -o b.so").status, 0);
  ASSERT_EQ(workshop.run("gcc a.c -o a").status, 0);
  expect_finding(workshop.run(opened + "./a"), "local runtime");
}

TEST(LateBinding, WhatSomebodyElsePutInFrontOfTheRuntimeStays) {
  const Workshop workshop;
  workshop.write("b.c", "#include <dlfcn.h>\n"
                        "#include <omp.h>\n"
                        "#include <stdio.h>\n"
                        "void omp_set_lock(omp_lock_t *lock) {\n"
                        "  puts(\"counted\");\n"
                        "  ((void (*)(omp_lock_t *))dlsym(RTLD_NEXT, \"omp_set_lock\"))(lock);\n"
                        "}\n");
  workshop.write("a.c", leaves_frame +
                            "#include <omp.h>\n"
                            "int main(void) {\n"
                            "  omp_lock_t lock;\n"
                            "  omp_init_lock(&lock);\n"
                            "  omp_set_lock(&lock);\n"
                            "  omp_unset_lock(&lock);\n"
                            "  omp_destroy_lock(&lock);\n" +
                            in_region + "  return 0;\n}\n");
  ASSERT_EQ(workshop.run(clang + "-D_GNU_SOURCE -shared -fPIC b.c -o b.so").status, 0);
  for (const char* binding : {"lazy", "now"}) {
    ASSERT_EQ(workshop.run(clang + "a.c -o a -Wl,-z," + binding).status, 0);
    const Outcome outcome = workshop.run("LD_PRELOAD=./b.so " + opened + "./a");
    expect_finding(outcome, binding);
    EXPECT_EQ(outcome.output, "counted\n") << binding;
  }
}

TEST(LateBinding, AnEndWithoutExitHandlersTellsWhatWasFound) {
  const Workshop workshop;
  workshop.write("a.c", leaves_frame + "#include <unistd.h>\nint main(void) {\n" + in_region + "  _exit(3);\n}\n");
  ASSERT_EQ(workshop.run(clang + "a.c -o a").status, 0);
  expect_finding(workshop.run(opened + "./a"), "_exit");
}

TEST(LateBinding, NothingChangesWhereNothingIsChecked) {
  const Workshop workshop;
  workshop.write("a.c", leaves_frame + "int main(void) {\n" + in_region + "  return 4;\n}\n");
  ASSERT_EQ(workshop.run(clang + "a.c -o a").status, 0);
  const Outcome outcome = workshop.run("FLETCHER_OPTIONS=enabled=0 " + opened + "./a");
  EXPECT_EQ(outcome.status, 4);
  EXPECT_EQ(outcome.errors, "");
}

} // namespace
} // namespace fletcher::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three ways of the specification to load a tool, and to decline.

#include "test/ompt/launch.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr int error_found = 66;

TEST(Loading, ByPreloadByListLinkedAndLinkedStatically) {
  const Workshop workshop;
  for (const auto& [program, way] : {std::pair{"endings.clang", Loading::preload},
                                     {"endings.clang", Loading::tool_libraries},
                                     {"endings.static", Loading::none}}) {
    const Outcome outcome = Launch(program).loading(way).run(workshop);
    EXPECT_EQ(outcome.status, error_found) << program << static_cast<int>(way) << outcome.errors;
    EXPECT_EQ(outcome.output, "out") << program;
    EXPECT_NE(outcome.errors.find("[non-sibling-dependence]"), std::string::npos) << outcome.errors;
    const Outcome clean = Launch(program).loading(way).argument("clean").run(workshop);
    EXPECT_EQ(clean.status, 0) << program;
    EXPECT_EQ(clean.errors, "") << program;
  }
  EXPECT_GT(Launch("tasks.linked").loading(Loading::none).events(workshop).events.size(), 0u);
}

TEST(Loading, WithoutTheLibraryNothingIsChecked) {
  const Workshop workshop;
  EXPECT_EQ(Launch("endings.clang").loading(Loading::none).run(workshop).status, 0);
}

TEST(Loading, VerboseSaysLevelAndCallbacks) {
  const Workshop workshop;
  const Outcome outcome = Launch("tasks.clang").option("verbose=1").run(workshop);
  EXPECT_TRUE(
      in_order(outcome.errors, {"fletcher: checking at level graph\n", "fletcher: OpenMP runtime: LLVM OMP",
                                "fletcher: callback thread_begin: ompt_set_always\n",
                                "callback task_create: ompt_set_always\n", "callback dispatch: ompt_set_always\n",
                                "callback target_map_emi: ompt_set_never\n", "fletcher: checked "}))
      << outcome.errors;
}

TEST(Loading, EveryCallbackOfTheRuntimeIsAsked) {
  // Those that LLVM 19 answers with ompt_set_always, but for the older forms without endpoints.
  const Workshop workshop;
  const std::string said = Launch("tasks.clang").option("verbose=1").run(workshop).errors;
  for (const char* callback : {"thread_begin",
                               "thread_end",
                               "parallel_begin",
                               "parallel_end",
                               "task_create",
                               "task_schedule",
                               "implicit_task",
                               "control_tool",
                               "sync_region",
                               "sync_region_wait",
                               "mutex_acquire",
                               "mutex_acquired",
                               "mutex_released",
                               "lock_init",
                               "lock_destroy",
                               "nest_lock",
                               "dependences",
                               "task_dependence",
                               "work",
                               "masked",
                               "flush",
                               "cancel",
                               "reduction",
                               "dispatch",
                               "device_initialize",
                               "device_finalize",
                               "device_load",
                               "target_emi",
                               "target_data_op_emi",
                               "target_submit_emi"})
    EXPECT_NE(said.find("callback " + std::string(callback) + ": ompt_set_always\n"), std::string::npos) << callback;
  EXPECT_EQ(said.find("callback error:"), std::string::npos) << "the runtime fails on a directive without a message";
}

TEST(Loading, DisabledDeclinesPolitely) {
  const Workshop workshop;
  for (const Loading way : {Loading::preload, Loading::tool_libraries}) {
    const Outcome silent = Launch("endings.clang").loading(way).option("enabled=0").run(workshop);
    EXPECT_EQ(silent.status, 0);
    EXPECT_EQ(silent.errors, "");
    EXPECT_EQ(silent.output, "out");
    const Outcome told = Launch("endings.clang").loading(way).option("enabled=0 verbose=1").run(workshop);
    EXPECT_EQ(told.status, 0);
    EXPECT_EQ(told.errors, "fletcher: disabled (enabled=0): the program runs unchecked\n");
  }
}

TEST(Loading, AToolThatDeclinesLetsTheNextOneStart) {
  const Workshop workshop;
  const Outcome outcome = Launch("endings.clang")
                              .loading(Loading::tool_libraries)
                              .option("enabled=0")
                              .variable("OMP_TOOL_VERBOSE_INIT", "stderr")
                              .run(workshop);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.errors.find("Found but not using the OMPT interface"), std::string::npos) << outcome.errors;
}

TEST(Loading, ARuntimeThatIsTooOldIsLeftAlone) {
  const Workshop workshop;
  workshop.write("a.c", "#include <stdio.h>\n"
                        "void *ompt_start_tool(unsigned, const char *);\n"
                        "int main(void) { puts(ompt_start_tool(201511, \"old\") ? \"tool\" : \"none\"); return 0; }\n");
  ASSERT_EQ(workshop.run("gcc a.c " FLETCHER_LIBRARY " -o a").status, 0);
  const Outcome silent = workshop.run("LD_LIBRARY_PATH=$(dirname " FLETCHER_LIBRARY ") ./a");
  EXPECT_EQ(silent.output, "none\n");
  EXPECT_EQ(silent.errors, "");
  const Outcome told = workshop.run("FLETCHER_OPTIONS=verbose=1 LD_LIBRARY_PATH=$(dirname " FLETCHER_LIBRARY ") ./a");
  EXPECT_NE(told.errors.find("fletcher: the OpenMP runtime is too old (version 201511): not checking it\n"),
            std::string::npos)
      << told.errors;
}

TEST(Loading, TheLibraryShowsOnlyWhatItReplaces) {
  const Workshop workshop;
  // Of C++ names the replaced functions alone (allocation, the owners of a shared exception); nothing of C++'s or the
  // compiler's runtime, which it has inside.
  for (const char* list :
       {"nm -D --defined-only " FLETCHER_LIBRARY, "nm --defined-only --extern-only " FLETCHER_ARCHIVE}) {
    const std::string shown = workshop.run(std::string(list) + " | awk 'NF == 3 { print $3 }'").output;
    EXPECT_NE(shown.find("ompt_start_tool\n"), std::string::npos) << list;
    EXPECT_NE(shown.find("__tsan_read8\n"), std::string::npos) << list;
    workshop.write("shown", shown);
    EXPECT_EQ(workshop
                  .run("grep -E '^_Z' shown | grep -vE '^_Z(n[wa]m|d[la]Pv|St17current_exceptionv|"
                       "NSt15__exception_ptr13exception_ptr(9_M_addref|10_M_release)Ev)'")
                  .output,
              "")
        << list;
    EXPECT_EQ(workshop.run("grep -E '^(_Unwind|__cxa_throw|__gxx|__gcc|__register_frame|nlohmann)' shown").output, "")
        << list;
  }
}

TEST(Loading, TheArchiveLeavesFunctionsOfLibcsNamesToTheProgram) {
  const Workshop workshop;
  workshop.write("a.c",
                 "#include <stdlib.h>\n"
                 "int getline(char *line, int room) { line[0] = 0; return room; }\n"
                 "int puts(const char *line) { return line[0]; }\n"
                 "int main(void) { char line[4]; return getline(line, 4) == 4 && puts(\"a\") == 'a' ? 7 : 1; }\n");
  const Outcome built = workshop.run(FLETCHER_TEST_CLANG
                                     " -fopenmp -fno-builtin a.c -Wl,-u,ompt_start_tool " FLETCHER_ARCHIVE " -lm -o a");
  ASSERT_EQ(built.status, 0) << built.errors;
  EXPECT_EQ(workshop.run("./a").status, 7);
}

TEST(Loading, OmpToolDisabledIsRespected) {
  const Workshop workshop;
  const Outcome outcome = Launch("endings.clang").variable("OMP_TOOL", "disabled").run(workshop);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
}

} // namespace
} // namespace fletcher::test

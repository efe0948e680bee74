// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading what ThreadSanitizer of LLVM 14 to 22 prints.
#include "lib/annotate/reports/sanitizer_options.hpp"
#include "lib/annotate/reports/text.hpp"
#include "lib/annotate/tasks/task_names.hpp"

#include <gtest/gtest.h>

namespace fletcher::annotate {
namespace {

const std::string race = R"(==================
WARNING: ThreadSanitizer: data race (pid=5278)
  Atomic write of size 4 at 0x56432777d298 by thread T3 (mutexes: write M0, read M1):
    #0 bump(int*, char (*)[2]) /a folder/r (1).cpp:4:31 (r14+0xd022f) (BuildId: f525a3)
    #1 .omp_outlined. /a folder/r.cpp:6:1 (r14+0xd022f)
    #2 __kmp_invoke_microtask <null> (libomp.so.5+0xe0678) (BuildId: 88dd)

  Previous read of size 8 at 0x56432777d290 by main thread:
    #0 <null> <null> (r14+0xd0240)

  As if synchronized via sleep:
    #0 usleep <null> (r14+0x12)

  Location is heap block of size 40 at 0x56432777d280 allocated by thread T1:
    #0 malloc <null> (r14+0x111)
    #1 main /a/r.cpp:1 (r14+0x222)

  Mutex M0 (0x720400000000) created at:
    #0 pthread_mutex_init <null> (r14+0x51)

  Thread T3 'it's OpenMP' (tid=0, running) created by main thread at:
    #0 pthread_create <null> (r14+0x5142d)

SUMMARY: ThreadSanitizer: data race /a/r.cpp:4:31 in bump
==================
)";

std::string replaced(std::string text, std::string_view old, std::string_view with) {
  text.replace(text.find(old), old.size(), with);
  return text;
}

TEST(PrintedReports, AreRead) {
  const auto pieces = read_reports(race, false);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].text, race);
  ASSERT_TRUE(pieces[0].race.has_value());
  const PrintedAccess &later = pieces[0].race->later, &earlier = pieces[0].race->earlier;
  EXPECT_TRUE(later.write);
  EXPECT_TRUE(later.atomic);
  EXPECT_TRUE(later.holds_mutexes);
  EXPECT_EQ(later.address, 0x56432777d298U);
  EXPECT_EQ(later.size, 4U);
  EXPECT_EQ(later.thread, 3U);
  EXPECT_EQ(later.thread_name, "it's OpenMP");
  ASSERT_EQ(later.frames.size(), 2U); // the first one is inlined into the second
  EXPECT_EQ(later.frames[0].module, "r14");
  EXPECT_EQ(later.frames[0].offset, 0xd022fU);
  EXPECT_EQ(later.frames[1].function, "__kmp_invoke_microtask");
  EXPECT_EQ(later.frames[1].module, "libomp.so.5");
  EXPECT_FALSE(earlier.write);
  EXPECT_FALSE(earlier.atomic);
  EXPECT_FALSE(earlier.holds_mutexes);
  EXPECT_EQ(earlier.size, 8U);
  EXPECT_EQ(earlier.thread, 0U);
  ASSERT_EQ(earlier.frames.size(), 1U);
  EXPECT_EQ(earlier.frames[0].function, "");
  ASSERT_TRUE(pieces[0].race->in_heap.has_value());
  EXPECT_EQ(pieces[0].race->in_heap->begin, 0x56432777d280U);
  EXPECT_EQ(pieces[0].race->in_heap->size, 40U);
  EXPECT_EQ(pieces[0].race->in_heap->allocated_at.size(), 2U);
  EXPECT_FALSE(pieces[0].race->after_free);
}

TEST(PrintedReports, MayLackTheLineOfAnAccess) {
  const auto pieces = read_reports(replaced(race, "r (1).cpp:4:31", "r (1).cpp"), false);
  ASSERT_TRUE(pieces.at(0).race.has_value());
  EXPECT_EQ(pieces[0].race->later.frames.at(0).offset, 0xd022fU);
}

TEST(PrintedReports, MayNameTheVariable) {
  const auto pieces =
      read_reports(replaced(race, "Location is heap block of size 40 at 0x56432777d280 allocated by thread T1:",
                            "Location is global 'of size 3' of size 8 at 0x56432777d290 (r14+0x12)\n"),
                   false);
  ASSERT_TRUE(pieces.at(0).race.has_value());
  EXPECT_FALSE(pieces[0].race->in_heap.has_value());
}

TEST(PrintedReports, MayBeOfBlocksThatWereFreed) {
  const auto pieces = read_reports(replaced(race, "data race (pid", "heap-use-after-free (pid"), false);
  ASSERT_TRUE(pieces.at(0).race.has_value());
  EXPECT_TRUE(pieces[0].race->after_free);
}

TEST(PrintedReports, MayHaveColoursAndLackAStack) {
  const std::string coloured = replaced(race, "  Previous read of", "\033[1m\033[34m  Previous read of");
  const auto pieces = read_reports(
      replaced(coloured, "    #0 <null> <null> (r14+0xd0240)\n", "    [failed to restore the stack]\n"), false);
  ASSERT_TRUE(pieces.at(0).race.has_value());
  EXPECT_EQ(pieces[0].race->earlier.size, 8U);
  EXPECT_TRUE(pieces[0].race->earlier.frames.empty());
}

TEST(PrintedReports, MayHaveAColourThatIsNeverEnded) {
  EXPECT_TRUE(read_reports(replaced(race, "SUMMARY: ThreadSanitizer: data race /a/r.cpp:4:31 in bump", "\033["), false)
                  .at(0)
                  .race.has_value());
}

TEST(PrintedReports, OfOtherKindsAreNotUnderstood) {
  for (const char* const kind :
       {"thread leak", "lock-order-inversion (potential deadlock)", "signal-unsafe call inside"})
    EXPECT_FALSE(read_reports(replaced(race, "data race", kind), false).at(0).race.has_value()) << kind;
  EXPECT_FALSE(read_reports(replaced(race, "(r14+0xd022f)", "in r14"), false).at(0).race.has_value());
  EXPECT_FALSE(read_reports(replaced(race, "Previous read", "Previous look"), false).at(0).race.has_value());
}

TEST(PrintedReports, StandAmongOtherText) {
  const std::string text = "a line\n" + race + race + "ThreadSanitizer: reported 2 warnings\nno end";
  const auto pieces = read_reports(text, false);
  ASSERT_EQ(pieces.size(), 4U);
  EXPECT_EQ(pieces[0].text, "a line\n");
  EXPECT_TRUE(pieces[1].race.has_value());
  EXPECT_TRUE(pieces[2].race.has_value());
  EXPECT_EQ(pieces[3].text, "ThreadSanitizer: reported 2 warnings\n");
  EXPECT_EQ(read_reports(text, true).back().text, "ThreadSanitizer: reported 2 warnings\nno end");
}

TEST(PrintedReports, AreLeftForLaterUntilTheyAreWhole) {
  const std::string_view half = std::string_view(race).substr(0, race.size() / 2);
  EXPECT_TRUE(read_reports(half, false).empty());
  const auto pieces = read_reports(half, true);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].text, half);
  EXPECT_FALSE(pieces[0].race.has_value());
}

TEST(NamesOfTasks, AreReadBackAndShort) {
  constexpr std::uint32_t largest = ~std::uint32_t{0};
  const NamedTask task{.id = TaskId{largest},
                       .creator = TaskId{largest - 1},
                       .created_on_main = true,
                       .depends = true,
                       .thread_number = 0,
                       .creation = 0x7fff'1234'5678,
                       .function = 0x7fff'1234'5679};
  const TaskName name = name_of(task);
  EXPECT_LT(std::string_view(name.data()).size(), name.size() - 1);
  const auto again = task_of(name.data());
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->kind, TaskKind::explicit_);
  EXPECT_EQ(again->id, task.id);
  EXPECT_EQ(again->creator, task.creator);
  EXPECT_TRUE(again->depends);
  EXPECT_TRUE(again->created_on_main);
  EXPECT_EQ(again->creation, task.creation);
  EXPECT_EQ(again->function, task.function);

  const auto thread = task_of(name_of({.kind = TaskKind::implicit,
                                       .id = TaskId{7},
                                       .creator = TaskId::none,
                                       .created_on_main = false,
                                       .depends = false,
                                       .thread_number = 3,
                                       .creation = 0x1234,
                                       .function = 0})
                                  .data());
  ASSERT_TRUE(thread.has_value());
  EXPECT_EQ(thread->kind, TaskKind::implicit);
  EXPECT_EQ(thread->id, TaskId{7});
  EXPECT_EQ(thread->thread_number, 3U);
  EXPECT_EQ(thread->creation, 0x1234U);
  EXPECT_FALSE(task_of("a name of the program's").has_value());
}

TEST(OptionsOfThreadSanitizer, AreFound) {
  EXPECT_EQ(option_in("a=1:exitcode=3 b=2,exitcode=4\n", "exitcode"), "4");
  EXPECT_EQ(option_in("log_path='a file':exitcode=\"0\"", "log_path"), "a file");
  EXPECT_EQ(option_in("log_path='a file':exitcode=\"0\"", "exitcode"), "0");
  EXPECT_EQ(option_in("my_exitcode=3", "exitcode"), std::nullopt);
  EXPECT_EQ(option_in("", "exitcode"), std::nullopt);
}

} // namespace
} // namespace fletcher::annotate

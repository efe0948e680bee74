// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races of a variable that tasks update by one statement are one diagnostic, and the change removes them all.
#include "reports/explanation/causes/causes.hpp"
#include "test/reports/samples.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fletcher::reports {
namespace {

/// A search of two tasks, 61 and 62, that `update` a number and leave early; task 60 created both.
class SharedUpdates : public testing::Test {
protected:
  static constexpr std::uint32_t declared = 1, condition = 3, update = 4;
  static constexpr std::uint32_t first = 61, second = 62, creator = 60;

  void source(const std::string& updates, const std::string& leaves = "  if (value < best) return;") {
    workspace_.write("a.c", "static long best;\nvoid search(long value) {\n" + leaves + "\n  " + updates + "\n}\n");
  }
  SourcePlace at(std::uint32_t line) const { return {workspace_.file("a.c"), line, 1}; }

  /// A write where the variable is updated, and another access.
  Diagnostic race(std::uint32_t other, Cause cause, std::uint32_t by = second) const {
    Diagnostic out;
    out.cause = cause;
    out.variable = "best";
    out.declared = at(declared);
    out.whole_variable = true;
    out.place = at(update);
    out.message = "data race: write of 8 bytes";
    out.notes.push_back({Note::Kind::other_access, "the other access", {}, at(other)});
    out.notes.push_back({Note::Kind::cause, "why: " + std::to_string(static_cast<int>(cause)), {}, out.place});
    out.notes.push_back({Note::Kind::fix, "fix: change it", {}, out.place});
    out.participants = {{"write of 8 bytes", out.place, {}}, {"read of 8 bytes", at(other), {}}};
    for (const std::size_t k : {0U, 1U}) {
      const std::uint32_t id = k == 0 ? first : by;
      for (const std::uint32_t one : {id, creator}) {
        auto& task = out.participants[k].tasks.emplace_back();
        task.id = TaskId{one};
        task.created = at(one);
      }
      Site& site = out.sites.emplace_back();
      site.place = at(k == 0 ? update : other);
      site.type = k == 0 ? AccessType::write : AccessType::read;
    }
    return out;
  }
  std::vector<Diagnostic> grouped(std::vector<Diagnostic> diagnostics) const {
    SourceText sources(workspace_.folder().string());
    return grouped_by_cause(std::move(diagnostics), sources);
  }
  static std::string edits(const Diagnostic& one) {
    std::string out;
    for (const Edit& edit : one.edits)
      out += (edit.replaces ? "=" : "+") + std::to_string(edit.place.line) + edit.text + "\n";
    return out;
  }

private:
  Workspace workspace_;
};

TEST_F(SharedUpdates, OfABestValueAreOneMatterOfExclusion) {
  source("if (value > best) best = value;");
  for (const Cause cause : {Cause::missing_taskwait, Cause::missing_dependence}) {
    const auto all = grouped({race(condition, cause), race(update, Cause::missing_mutual_exclusion)});
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].cause, Cause::missing_mutual_exclusion);
    EXPECT_EQ(edits(all[0]), "+4  #pragma omp critical (best_update)\n"
                             "+3  long best_now;\n"
                             "+3  #pragma omp critical (best_update)\n"
                             "+3  best_now = best;\n"
                             "=3  if (value < best_now) return;\n");
  }
}

TEST_F(SharedUpdates, OfACounterBecomeAtomic) {
  source("best++;");
  const auto all = grouped({race(condition, Cause::missing_taskwait), race(update, Cause::missing_mutual_exclusion)});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(edits(all[0]), "+4  #pragma omp atomic\n"
                           "+3  long best_now;\n"
                           "+3  #pragma omp atomic read\n"
                           "+3  best_now = best;\n"
                           "=3  if (value < best_now) return;\n");
}

/// Who created the task reads what it has done: that needs a wait, too.
TEST_F(SharedUpdates, AreAnotherMatterThanAWaitForThem) {
  source("best += value;");
  const auto all =
      grouped({race(condition, Cause::missing_taskwait, creator), race(update, Cause::missing_mutual_exclusion)});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].cause, Cause::missing_taskwait);
}

/// Tasks that set it may be meant to come one after the other.
TEST_F(SharedUpdates, AreNotWhatOnlySetsIt) {
  source("best = value;");
  EXPECT_EQ(grouped({race(condition, Cause::missing_dependence), race(update, Cause::missing_mutual_exclusion)}).size(),
            2U);
}

TEST_F(SharedUpdates, HaveNoEditWhereTheTextLeavesDoubt) {
  for (const std::string& leaves :
       {"  while (value < best) value++;", "  if (value < best && best > 3) return;", "  if (best++ > value) return;",
        "  if (value < best) return; else value = best;", "  default: if (value < best) return;"}) {
    source("if (value > best) best = value;", leaves);
    const auto all = grouped({race(condition, Cause::missing_taskwait), race(update, Cause::missing_mutual_exclusion)});
    ASSERT_EQ(all.size(), 1U) << leaves;
    EXPECT_EQ(edits(all[0]), "") << leaves;
  }
}

} // namespace
} // namespace fletcher::reports

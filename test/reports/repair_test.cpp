// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Repairs of whatever stands in a file, and how edits change a text.
#include "reports/repair/apply.hpp"
#include "reports/repair/repair.hpp"
#include "test/reports/samples.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fletcher::reports {
namespace {

TEST(Repair, ReadsAnyText) {
  const std::string whole =
      "void f(int x) {\n#pragma omp parallel for \\\n shared(x) // {\n for (;;) { if (x) x++; else"
      " do x = (1; while (0); }\n!$omp parallel do &\n!$omp& private(x)\ndo i = 1, 2\n x(i) = '}'\n"
      "end do\n!$omp end parallel do\n#pragma omp task depend(in: x\n/* \n */ case x: \"\\\n}\n";
  for (const char* name : {"a.c", "a.f90", "a.f"})
    for (std::size_t from = 0; from < whole.size(); from += 3) {
      const Workspace workspace;
      const std::string file = workspace.write(name, whole.substr(from) + whole.substr(0, from));
      SourceText sources(workspace.folder().string());
      Codes codes(sources);
      const Code& code = codes.of(file);
      for (std::uint32_t line = 0; line <= code.lines() + 1; ++line) {
        Diagnostic race;
        race.variable = "x";
        race.place = race.declared = {file, line, line % 7};
        race.sites = {{race.place, AccessType::write, race.place, TaskKind::explicit_, {}},
                      {race.place, AccessType::read, race.place, TaskKind::implicit, {}}};
        race.whole_variable = line % 2 == 0;
        for (const Cause cause : {Cause::missing_mutual_exclusion, Cause::missing_dependence, Cause::missing_taskwait,
                                  Cause::missing_barrier, Cause::wrong_dependence_type, Cause::task_outlives_frame}) {
          race.cause = cause;
          const auto found = repair({&race}, codes);
          if (found) {
            EXPECT_FALSE(found->edits.empty());
          }
        }
      }
    }
}

TEST(Edits, KeepEverythingElse) {
  const std::vector<Edit> edits{{{"a.c", 2, 1}, "new", true}, {{"a.c", 3, 1}, "before", false}};
  EXPECT_EQ(with_edits("one\ntwo\nthree", edits), "one\nnew\nbefore\nthree");
  EXPECT_EQ(with_edits("one\r\ntwo\r\nthree\r\n", edits), "one\r\nnew\r\nbefore\r\nthree\r\n");
  EXPECT_EQ(with_edits("one", {{{"a.c", 2, 1}, "behind", false}}), "one\nbehind\n");
}

TEST(Edits, AreShownAsADifference) {
  EXPECT_EQ(
      unified_diff("a.c", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", {{{"a.c", 5, 1}, "five", true}, {{"a.c", 6, 1}, "+", false}}),
      "--- a.c\n+++ a.c\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n++\n 6\n 7\n 8\n");
}

} // namespace
} // namespace fletcher::reports

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiled factorisations over BLAS and LAPACK, whose tasks are ordered by depend clauses: each clause in turn names the
// wrong memory, and that is reported; with all of them right nothing is.
#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <set>

namespace fletcher::test {
namespace {

struct Factorisation {
  std::string name;
  int dependences;
  /// At level graph a race is reported where a clause names the memory. Of tiles that were allocated before the first
  /// region, only the beginnings are known to be what it names: these leave out what is about the rest alone.
  std::set<int> about_the_rest;
};
void PrintTo(const Factorisation& one, std::ostream* out) { *out << one.name; }

class Factorisations : public testing::TestWithParam<Factorisation> {
protected:
  /// False: there is no BLAS.
  bool build(const std::string& compiler) const {
    const std::string source = std::string(FLETCHER_EFFECTS_PROGRAMS) + "/tiled-" + GetParam().name + ".c";
    return workshop_.run(compiler + " -g -O1 -fopenmp -w '" + source + "' -lopenblas -o a").status == 0;
  }
  void expect_each_told(const std::string& start, const std::set<int>& untold) const {
    for (int left_out = 0; left_out <= GetParam().dependences; ++left_out) {
      const std::string line = "OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive " + start + " ./a " +
                               std::to_string(left_out);
      const Outcome outcome = workshop_.run(line);
      const bool told = left_out != 0 && !untold.contains(left_out);
      EXPECT_EQ(outcome.status, told ? 66 : 0) << line << '\n' << outcome.errors;
      EXPECT_EQ(outcome.errors.find("[data-race]") != std::string::npos, told) << line << '\n' << outcome.errors;
    }
  }
  Workshop workshop_;
};

TEST_P(Factorisations, EachDependenceThatIsLeftOutIsTold) {
  if (!build("fletcher-cc")) GTEST_SKIP() << "no OpenBLAS";
  expect_each_told("", {});
}

TEST_P(Factorisations, AtLevelGraphToo) {
  if (!build("gcc")) GTEST_SKIP() << "no OpenBLAS or no GCC";
  expect_each_told("fletcher run --", GetParam().about_the_rest);
}

INSTANTIATE_TEST_SUITE_P(Tiled, Factorisations,
                         testing::Values(Factorisation{"cholesky", 8, {}}, Factorisation{"lu", 8, {2}},
                                         Factorisation{"qr", 8, {2, 7}}),
                         [](const auto& one) { return one.param.name; });

} // namespace
} // namespace fletcher::test

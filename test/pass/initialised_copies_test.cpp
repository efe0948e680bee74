// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an initializer of a declared reduction reads of the original is not checked, and nothing else changes.

#include "test/pass/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Compiled with_initializer(const std::string& value, const std::string& flags) {
  return compile("typedef struct { int value; } T;\n"
                 "#pragma omp declare reduction(sum : T : omp_out.value += omp_in.value) initializer(omp_priv = " +
                     value +
                     ")\nint f(T* a, int n) { T t = *a;\n#pragma omp parallel for reduction(sum : t)\n"
                     "for (int i = 0; i < n; i++) t.value += i;\nreturn t.value; }",
                 "-fopenmp " + flags);
}

TEST(InitialisedCopies, AreNotCheckedWhereTheyReadTheOriginal) {
  for (const char* flags : {"-O0", "-O1", "-O2"}) {
    for (const char* value : {"omp_orig", "{omp_orig.value - omp_orig.value}"}) {
      const Compiled reading = with_initializer(value, flags);
      EXPECT_THAT(reading.code, HasSubstr("call void @fletcher_ignore_begin()")) << flags << value;
      EXPECT_THAT(reading.code, HasSubstr("call void @fletcher_ignore_end()")) << flags << value;
    }
    EXPECT_THAT(with_initializer("{0}", flags).code, Not(HasSubstr("fletcher_ignore"))) << flags;
  }
}

} // namespace
} // namespace fletcher::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that stock clang built for ThreadSanitizer, with the runtime in the program and in a library.
#pragma once

#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace fletcher::test {

struct Way {
  const char* name;
  const char* flags; ///< of the compiler's call that links
};
inline void PrintTo(const Way& way, std::ostream* to) { *to << way.name; }

class Takeover : public testing::TestWithParam<Way> {
protected:
  /// With clang++ where the file is a .cpp.
  void build(const std::string& file, const std::string& text) {
    workshop_.write(file, text);
    const std::string compiler = file.ends_with(".cpp") ? "clang++-19" : "clang-19";
    const Outcome built =
        workshop_.run(compiler + " -fsanitize=thread " + GetParam().flags + " -fopenmp -g -O1 " + file + " -o a");
    if (built.status != 0) GTEST_SKIP() << "no ThreadSanitizer: " << built.errors;
  }
  Outcome check(const std::string& environment = "") {
    return workshop_.run("TSAN_OPTIONS=atexit_sleep_ms=0 OMP_TOOL_LIBRARIES=" FLETCHER_LIBRARY " " + environment +
                         " timeout 60 ./a");
  }
  Workshop workshop_;
};

inline constexpr Way in_the_program{"InTheProgram", "-static-libsan"};
inline constexpr Way in_a_library{
    "InALibrary", "-shared-libsan -Wl,-rpath,$(dirname $(clang-19 -print-file-name=libclang_rt.tsan-x86_64.so))"};

} // namespace fletcher::test

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
  const char* flags;                          ///< of the compiler's call that links
  const char* version = "19";                 ///< of clang; the OpenMP runtime is that of 19
  const char* loading = "OMP_TOOL_LIBRARIES"; ///< the variable that has the library loaded
};
inline void PrintTo(const Way& way, std::ostream* to) { *to << way.name; }

class Takeover : public testing::TestWithParam<Way> {
protected:
  /// With clang++ where the file is a .cpp.
  void build(const std::string& file, const std::string& text) {
    workshop_.write(file, text);
    const std::string compiler =
        std::string(file.ends_with(".cpp") ? "clang++-" : "clang-") + GetParam().version + " -fsanitize=thread ";
    const Outcome built = workshop_.run(compiler + GetParam().flags + " -fopenmp -g -O1 " + file + " -o a");
    if (built.status == 0) return;
    if (workshop_.run("echo 'int main() {}' | " + compiler + "-x c++ - -o empty").status == 0) FAIL() << built.errors;
    GTEST_SKIP() << "no ThreadSanitizer of clang " << GetParam().version;
  }
  Outcome check(const std::string& environment = "") {
    return workshop_.run("TSAN_OPTIONS=atexit_sleep_ms=0 " + environment + " timeout 60 env " + GetParam().loading +
                         "=" FLETCHER_LIBRARY " ./a");
  }
  Workshop workshop_;
};

inline constexpr Way in_the_program{"InTheProgram", "-static-libsan"};
/// Until LLVM 16 the program calls the runtime's interceptors themselves.
inline constexpr Way in_the_program_by_14{"InTheProgramByClang14",
                                          "-L$(dirname $(clang-19 -print-file-name=libomp.so))", "14"};
/// As by `fletcher run`: ThreadSanitizer's interceptors find this library behind themselves.
inline constexpr Way in_the_program_preloaded{"InTheProgramPreloaded", "-static-libsan", "19", "LD_PRELOAD"};
inline constexpr Way in_a_library{
    "InALibrary", "-shared-libsan -Wl,-rpath,$(dirname $(clang-19 -print-file-name=libclang_rt.tsan-x86_64.so))"};

} // namespace fletcher::test

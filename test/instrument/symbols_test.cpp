// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compilers' instrumentation calls, and what ThreadSanitizer's own runtime offers to programs, the library
// defines.

#include "test/instrument/toolchain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace {

using namespace fletcher::test;

std::set<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::set<std::string> all;
  for (std::string word; stream >> word;) all.insert(word);
  return all;
}

const std::set<std::string>& defined() {
  static const std::set<std::string> all = [] {
    const Workshop shop;
    return words(shop.run("nm -D --defined-only '" + library() + "' | awk '{print $3}'").output);
  }();
  return all;
}

void expect_defined(const std::set<std::string>& names) {
  for (const std::string& name : names) EXPECT_TRUE(defined().contains(name)) << name;
}

/// Functions that make a compiler emit every call that it knows.
std::string everything_in_c(bool of_clang) {
  std::ostringstream source;
  source << "#include <stdatomic.h>\n#include <string.h>\n"
            "typedef unsigned char t8; typedef unsigned short t16; typedef unsigned t32; typedef unsigned long t64;\n"
            "typedef unsigned __int128 t128;\n"
            "struct small { char c[3]; }; struct large { char c[400]; };\n"
            "struct __attribute__((packed)) odd { char c; t16 two; t32 four; t64 eight; t128 sixteen; };\n";
  for (const int width : {8, 16, 32, 64, 128}) {
    const std::string type = "t" + std::to_string(width), w = std::to_string(width);
    source << type << " plain_read" << w << "(" << type << "* p) { return *p; }\n"
           << "void plain_write" << w << "(" << type << "* p) { *p = 1; }\n"
           << "void update" << w << "(" << type << "* p) { *p += 3; }\n"
           << "void volatile_update" << w << "(volatile " << type << "* p) { *p += 3; }\n"
           << type << " atomics" << w << "(_Atomic " << type << "* p, " << type << " v) {\n"
           << "  " << type << " e = v;\n"
           << "  atomic_store(p, v); atomic_exchange(p, v); atomic_fetch_add(p, v); atomic_fetch_sub(p, v);\n"
           << "  atomic_fetch_and(p, v); atomic_fetch_or(p, v); atomic_fetch_xor(p, v);\n"
           << "  __atomic_fetch_nand((" << type << "*)p, v, __ATOMIC_SEQ_CST);\n"
           << "  atomic_compare_exchange_strong(p, &e, v); atomic_compare_exchange_weak(p, &e, v);\n"
           << "  return atomic_load(p);\n}\n";
  }
  for (const char* member : {"two", "four", "eight", "sixteen"})
    source << "t64 odd_" << member << "(struct odd* p, volatile struct odd* q) { p->" << member << " += 5; q->"
           << member << " = 7; return (t64)(p->" << member << " + q->" << member << "); }\n";
  source
      << "void copy_small(struct small* a, struct small* b) { *a = *b; }\n"
         "void copy_large(struct large* a, struct large* b) { *a = *b; }\n"
         "void clear_large(struct large* a) { memset(a, 0, sizeof *a); }\n"
         "void move(char* a, char* b, t64 n) { memmove(a, b, n); memcpy(a, b + 1, n); }\n"
         "void fences(void) { atomic_thread_fence(memory_order_seq_cst); atomic_signal_fence(memory_order_seq_cst); }\n"
         "void vectors(float* a, float* b, int n) { for (int i = 0; i < n; i++) a[i] += b[i]; }\n"
         "void doubles(double* a, double* b, int n) { for (int i = 0; i < n; i++) a[i] = b[i]; }\n"
         "long double extended(long double* p) { *p += 1; return *p; }\n"
         "int called(int); int calls(int* p) { return called(*p) + 1; }\n";
  if (of_clang) source << "__attribute__((disable_sanitizer_instrumentation)) int none(int* p) { return *p; }\n";
  return source.str();
}

const char* const everything_in_cxx = R"(
struct Base { virtual ~Base(); virtual int f(); int x; };
struct Derived : Base { Derived(); ~Derived() override; int f() override; };
int Base::f() { return x; }
Base::~Base() { x = f(); }
Derived::Derived() { x = f(); }
Derived::~Derived() { x = 2; }
int Derived::f() { return x + 1; }
int call(Base* b) { try { return b->f(); } catch (int) { return 1; } }
int lazy() { static int value = call(nullptr); return value; }
)";

const char* const everything_in_fortran = R"(
subroutine work(a, b, n, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), b(n), s
  complex(8) :: c(100)
  character(len=17) :: text
  integer :: i
  common /shared/ c, text
  !$omp parallel do reduction(+:s)
  do i = 1, n
    a(i) = b(i) * 2
    s = s + a(i)
    c(i) = cmplx(a(i), b(i), 8)
  end do
  !$omp atomic
  s = s + 1
  a = b
  text = 'a text'
end subroutine
)";

/// The names that the object needs and that instrumentation added.
std::set<std::string> needed(const Workshop& shop, const std::string& object) {
  return words(shop.run("nm -u " + object + " | awk '{print $2}' | grep -E '^(__tsan_|__sanitizer_)'").output);
}

struct Case {
  const Toolchain& (*toolchain)();
  std::string file;
  std::string flags;
  std::size_t at_least; ///< different names: the test would be worthless if instrumentation stopped calling
};

class Symbols : public testing::TestWithParam<Case> {};

TEST_P(Symbols, OfInstrumentedObjectsAreDefined) {
  const Toolchain& toolchain = GetParam().toolchain();
  if (toolchain.compiler.empty()) GTEST_SKIP() << "no " << toolchain.name;
  const Workshop shop;
  const bool of_clang = toolchain.name.starts_with("clang");
  shop.write("all.c", everything_in_c(of_clang));
  shop.write("all.cpp", everything_in_cxx);
  shop.write("all.f90", everything_in_fortran);
  std::set<std::string> names;
  for (const std::string level : {"-O0", "-O1", "-O2", "-O3"}) {
    const auto compiled = shop.run(toolchain.compiler + " -w -fopenmp -fsanitize=thread " + level + " " +
                                   GetParam().flags + " -c " + GetParam().file + " -o all.o");
    ASSERT_EQ(compiled.status, 0) << compiled.errors;
    names.merge(needed(shop, "all.o"));
  }
  EXPECT_GE(names.size(), GetParam().at_least);
  expect_defined(names);
}

INSTANTIATE_TEST_SUITE_P(All, Symbols,
                         testing::Values(Case{clang, "all.c", "-mcx16", 70}, //
                                         Case{clang, "all.c", "-mcx16 -mprefer-vector-width=128", 70},
                                         Case{clang, "all.c", "-mcx16 -mllvm -tsan-distinguish-volatile", 80},
                                         Case{clang, "all.c", "-mcx16 -mllvm -tsan-compound-read-before-write", 75},
                                         Case{clang, "all.c", "-mcx16 -mllvm -tsan-instrument-read-before-write", 70},
                                         Case{clangxx, "all.cpp", "", 6},  //
                                         Case{gcc, "all.c", "-mcx16", 50}, //
                                         Case{gcc, "all.c", "-mcx16 --param=tsan-distinguish-volatile=1", 55},
                                         Case{gxx, "all.cpp", "", 5}, //
                                         Case{gfortran, "all.f90", "", 5}));

TEST(Symbols, OfThreadSanitizersPublicHeadersAreDefined) {
  const Workshop shop;
  // The declarations of clang's own headers, whichever version is installed.
  const auto names =
      words(shop.run("for h in tsan_interface.h tsan_interface_atomic.h; do echo \"#include <sanitizer/$h>\"; done | " +
                     clang().compiler + " -E -xc - | grep -oE '\\b__tsan_[a-z0-9_]+\\(' | tr -d '('")
                .output);
  ASSERT_GT(names.size(), 80U);
  for (const std::string& name : names) {
    // Defined by the program, if at all.
    if (name == "__tsan_on_initialize" || name == "__tsan_on_finalize" || name.starts_with("__tsan_default_")) continue;
    EXPECT_TRUE(defined().contains(name)) << name;
  }
}

TEST(Symbols, ThatHeadersPutForFunctionsOfTextsAreDefined) {
  if (gcc().compiler.empty()) GTEST_SKIP() << "no gcc";
  const Workshop shop;
  std::set<std::string> names;
  for (const std::string source : {"strings.c", "texts.c"})
    for (const std::string flags : {"-O0", "-O2 -D_FORTIFY_SOURCE=2", "-O2 -D_FILE_OFFSET_BITS=64"}) {
      const auto compiled = shop.run(gcc().compiler + " -w -fno-builtin -fopenmp " + flags + " -c '" + programs() +
                                     "/" + source + "' -o texts.o");
      ASSERT_EQ(compiled.status, 0) << compiled.errors;
      names.merge(words(shop.run("nm -u texts.o | awk '{print $2}' | grep -E '_chk$|^__(isoc|getdelim)'").output));
    }
  EXPECT_GE(names.size(), 10U);
  expect_defined(names);
}

TEST(Symbols, OfDynamicAnnotationsAreDefined) {
  expect_defined({"AnnotateHappensBefore", "AnnotateHappensAfter", "AnnotateRWLockCreate", "AnnotateRWLockCreateStatic",
                  "AnnotateRWLockDestroy", "AnnotateRWLockAcquired", "AnnotateRWLockReleased", "AnnotateBenignRace",
                  "AnnotateBenignRaceSized", "AnnotateIgnoreReadsBegin", "AnnotateIgnoreReadsEnd",
                  "AnnotateIgnoreWritesBegin", "AnnotateIgnoreWritesEnd", "AnnotateNewMemory", "AnnotateThreadName",
                  "AnnotateFlushState", "RunningOnValgrind", "ValgrindSlowdown"});
}

TEST(Symbols, OfTheHeaderAreDefined) {
  const Workshop shop;
  const auto names = words(
      shop.run("grep -oE '\\bfletcher_[a-z_]+\\(' '" + include_folder() + "/fletcher/fletcher.h' | tr -d '('").output);
  ASSERT_GE(names.size(), 9U);
  expect_defined(names);
}

// The runtime loads the library late: then libc has 1,664 bytes for threads' own variables of all such libraries, and
// does not load one that needs more.
TEST(Symbols, OfThreadsOwnVariablesFitIntoWhatLibcHasLeft) {
  const Workshop shop;
  const std::string bytes = shop.run("readelf -lW '" + library() + "' | awk '$1 == \"TLS\" {print $6}'").output;
  ASSERT_FALSE(bytes.empty());
  EXPECT_LE(std::stoul(bytes, nullptr, 16), 1664U);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/effects/unseen_calls.hpp"

#include "lib/interpose/binding/modules.hpp"
#include "lib/interpose/real.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>

namespace fletcher::interpose {

namespace {

using Names = std::string_view;

/// They access nothing of the program's, or only what never changes.
constexpr std::array<Names, 46> harmless{"_ITM_deregisterTMCloneTable",
                                         "_ITM_registerTMCloneTable",
                                         "_Exit",
                                         "_Unwind_Resume",
                                         "__assert_fail",
                                         "__ctype_b_loc",
                                         "__ctype_tolower_loc",
                                         "__ctype_toupper_loc",
                                         "__errno_location",
                                         "__gmon_start__",
                                         "__gxx_personality_v0",
                                         "__libc_start_main",
                                         "__stack_chk_fail",
                                         "_exit",
                                         "_setjmp",
                                         "abort",
                                         "abs",
                                         "clock",
                                         "clock_nanosleep",
                                         "div",
                                         "exit",
                                         "getenv",
                                         "getpagesize",
                                         "getpid",
                                         "getppid",
                                         "isalnum",
                                         "isalpha",
                                         "isdigit",
                                         "isspace",
                                         "labs",
                                         "llabs",
                                         "nanosleep",
                                         "pthread_self",
                                         "quick_exit",
                                         "raise",
                                         "sched_getcpu",
                                         "sched_yield",
                                         "secure_getenv",
                                         "sleep",
                                         "srand",
                                         "srandom",
                                         "sysconf",
                                         "time",
                                         "tolower",
                                         "toupper",
                                         "usleep"};
constexpr std::array<Names, 9> harmless_beginnings{"_ZNSt6chrono",  "_ZNSt8ios_base4Init", "_ZSt9terminatev",
                                                   "__cxa_",        "_ZSt17__throw",       "_ZSt20__throw",
                                                   "_ZSt19__throw", "_ZSt24__throw",       "_gfortran_set_"};

constexpr std::array<Names, 44> streams{"__fprintf_chk",
                                        "__isoc99_fscanf",
                                        "__isoc99_scanf",
                                        "__printf_chk",
                                        "__vfprintf_chk",
                                        "__vprintf_chk",
                                        "_gfortran_st_read",
                                        "_gfortran_st_read_done",
                                        "_gfortran_st_write",
                                        "_gfortran_st_write_done",
                                        "fflush",
                                        "fgetc",
                                        "fgets",
                                        "fprintf",
                                        "fputc",
                                        "fputs",
                                        "fread",
                                        "fscanf",
                                        "fwrite",
                                        "getc",
                                        "getchar",
                                        "getdelim",
                                        "getline",
                                        "getwchar",
                                        "perror",
                                        "pread",
                                        "printf",
                                        "putc",
                                        "putchar",
                                        "puts",
                                        "putwchar",
                                        "pwrite",
                                        "read",
                                        "readv",
                                        "scanf",
                                        "ungetc",
                                        "vfprintf",
                                        "vfscanf",
                                        "vprintf",
                                        "vscanf",
                                        "wprintf",
                                        "write",
                                        "writev",
                                        "fwprintf"};
constexpr std::array<Names, 7> stream_beginnings{
    "_ZNSo", "_ZNSolsE", "_ZStls", "_ZSt4endl", "_ZSt5flush", "_ZNSt8ios_base", "_ZSt16__ostream_insert"};

/// Of libm's functions, those with results in memory.
constexpr std::array<Names, 12> through_pointers{"frexp",  "frexpf",  "frexpl", "modf",    "modff",   "modfl",
                                                 "remquo", "remquof", "sincos", "sincosf", "sincosl", "remquol"};

bool is_among(const auto& names, std::string_view symbol) noexcept {
  return std::find(names.begin(), names.end(), symbol) != names.end();
}
bool begins_as(const auto& beginnings, std::string_view symbol) noexcept {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](Names one) { return symbol.starts_with(one); });
}

bool is_of_libm(const Dl_info& info) noexcept {
  const std::string_view file = info.dli_fname == nullptr ? "" : info.dli_fname;
  return file.substr(file.rfind('/') + 1).starts_with("libm.so");
}

} // namespace

Unseen unseen_of(std::string_view symbol, Address function) noexcept {
  if (is_among(streams, symbol) || begins_as(stream_beginnings, symbol)) return Unseen::output;
  const auto* const code = reinterpret_cast<const void*>(function);
  if (is_own(code) || modules::is_runtime(function) || modules::is_instrumented(function)) return Unseen::nothing;
  if (is_among(harmless, symbol) || begins_as(harmless_beginnings, symbol)) return Unseen::nothing;
  Dl_info info{};
  const ElfW(Sym)* entry = nullptr;
  if (dladdr1(code, &info, reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&entry)), RTLD_DL_SYMENT) == 0)
    return Unseen::memory;
  if (entry != nullptr && ELF64_ST_TYPE(entry->st_info) == STT_OBJECT) return Unseen::nothing;
  return is_of_libm(info) && !is_among(through_pointers, symbol) ? Unseen::nothing : Unseen::memory;
}

} // namespace fletcher::interpose

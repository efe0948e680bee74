// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// strtol and its like, for narrow and wide characters, as accesses of the instrumented code that calls them: the text
// up to the character that ends the number, and the place where they note that.

#include "lib/interpose/text/text_accesses.hpp"

#include <features.h>

using namespace fletcher;
using namespace fletcher::interpose;
using texts::Thread;

namespace {

using Long = long;
using UnsignedLong = unsigned long;

constinit Real<Long(const char*, char**, int) noexcept> real_strtol{"strtol"}, real_strtoll{"strtoll"},
    real_strtoimax{"strtoimax"};
constinit Real<UnsignedLong(const char*, char**, int) noexcept> real_strtoul{"strtoul"}, real_strtoull{"strtoull"},
    real_strtoumax{"strtoumax"};
constinit Real<float(const char*, char**) noexcept> real_strtof{"strtof"};
constinit Real<double(const char*, char**) noexcept> real_strtod{"strtod"};
constinit Real<long double(const char*, char**) noexcept> real_strtold{"strtold"};
constinit Real<Long(const wchar_t*, wchar_t**, int) noexcept> real_wcstol{"wcstol"}, real_wcstoll{"wcstoll"};
constinit Real<UnsignedLong(const wchar_t*, wchar_t**, int) noexcept> real_wcstoul{"wcstoul"},
    real_wcstoull{"wcstoull"};
constinit Real<float(const wchar_t*, wchar_t**) noexcept> real_wcstof{"wcstof"};
constinit Real<double(const wchar_t*, wchar_t**) noexcept> real_wcstod{"wcstod"};
constinit Real<long double(const wchar_t*, wchar_t**) noexcept> real_wcstold{"wcstold"};
#if __GLIBC_PREREQ(2, 38)
constinit Real<Long(const char*, char**, int) noexcept> real_c23_strtol{"__isoc23_strtol"},
    real_c23_strtoll{"__isoc23_strtoll"}, real_c23_strtoimax{"__isoc23_strtoimax"};
constinit Real<UnsignedLong(const char*, char**, int) noexcept> real_c23_strtoul{"__isoc23_strtoul"},
    real_c23_strtoull{"__isoc23_strtoull"}, real_c23_strtoumax{"__isoc23_strtoumax"};
#endif

template <auto& function, class Char, class... Base>
[[gnu::noinline]] auto checked_parse(Thread& thread, Address pc, const Char* text, Char** end, Base... base) {
  if (!modules::is_instrumented(pc)) return function(text, end, base...);
  Char* stop = nullptr; // stays so where the base is none
  const auto value = function(text, &stop, base...);
  if (stop == nullptr) return value;
  const KeptErrno kept;
  texts::reads_characters(thread, pc, text, static_cast<texts::Size>(stop - text) + 1);
  if (end != nullptr) {
    *end = stop;
    writes(thread, end, sizeof *end, pc);
  }
  return value;
}

template <auto& function, class Char, class... Base>
[[gnu::always_inline]] inline auto parse(Address pc, const Char* text, Char** end, Base... base) {
  if (Thread* const thread = checking(); thread != nullptr) [[unlikely]]
    return checked_parse<function>(*thread, pc, text, end, base...);
  return function(text, end, base...);
}

constexpr char** nowhere = nullptr;

} // namespace

#pragma GCC visibility push(default)
extern "C" {

// Headers redirect some of these names, and have inline definitions of others.
Long to_long(const char* text, char** end, int base) noexcept asm("strtol");
Long to_long_long(const char* text, char** end, int base) noexcept asm("strtoll");
Long to_largest(const char* text, char** end, int base) noexcept asm("strtoimax");
UnsignedLong to_unsigned(const char* text, char** end, int base) noexcept asm("strtoul");
UnsignedLong to_unsigned_long(const char* text, char** end, int base) noexcept asm("strtoull");
UnsignedLong to_unsigned_largest(const char* text, char** end, int base) noexcept asm("strtoumax");
float to_float(const char* text, char** end) noexcept asm("strtof");
double to_double(const char* text, char** end) noexcept asm("strtod");
long double to_long_double(const char* text, char** end) noexcept asm("strtold");
int all_to_int(const char* text) noexcept asm("atoi");
Long all_to_long(const char* text) noexcept asm("atol");
Long all_to_long_long(const char* text) noexcept asm("atoll");
double all_to_double(const char* text) noexcept asm("atof");
Long wide_to_long(const wchar_t* text, wchar_t** end, int base) noexcept asm("wcstol");
Long wide_to_long_long(const wchar_t* text, wchar_t** end, int base) noexcept asm("wcstoll");
UnsignedLong wide_to_unsigned(const wchar_t* text, wchar_t** end, int base) noexcept asm("wcstoul");
UnsignedLong wide_to_unsigned_long(const wchar_t* text, wchar_t** end, int base) noexcept asm("wcstoull");
float wide_to_float(const wchar_t* text, wchar_t** end) noexcept asm("wcstof");
double wide_to_double(const wchar_t* text, wchar_t** end) noexcept asm("wcstod");
long double wide_to_long_double(const wchar_t* text, wchar_t** end) noexcept asm("wcstold");

Long to_long(const char* text, char** end, int base) noexcept { return parse<real_strtol>(caller(), text, end, base); }
Long to_long_long(const char* text, char** end, int base) noexcept {
  return parse<real_strtoll>(caller(), text, end, base);
}
Long to_largest(const char* text, char** end, int base) noexcept {
  return parse<real_strtoimax>(caller(), text, end, base);
}
UnsignedLong to_unsigned(const char* text, char** end, int base) noexcept {
  return parse<real_strtoul>(caller(), text, end, base);
}
UnsignedLong to_unsigned_long(const char* text, char** end, int base) noexcept {
  return parse<real_strtoull>(caller(), text, end, base);
}
UnsignedLong to_unsigned_largest(const char* text, char** end, int base) noexcept {
  return parse<real_strtoumax>(caller(), text, end, base);
}
float to_float(const char* text, char** end) noexcept { return parse<real_strtof>(caller(), text, end); }
double to_double(const char* text, char** end) noexcept { return parse<real_strtod>(caller(), text, end); }
long double to_long_double(const char* text, char** end) noexcept { return parse<real_strtold>(caller(), text, end); }

// As glibc has them.
int all_to_int(const char* text) noexcept { return static_cast<int>(parse<real_strtol>(caller(), text, nowhere, 10)); }
Long all_to_long(const char* text) noexcept { return parse<real_strtol>(caller(), text, nowhere, 10); }
Long all_to_long_long(const char* text) noexcept { return parse<real_strtoll>(caller(), text, nowhere, 10); }
double all_to_double(const char* text) noexcept { return parse<real_strtod>(caller(), text, nowhere); }

Long wide_to_long(const wchar_t* text, wchar_t** end, int base) noexcept {
  return parse<real_wcstol>(caller(), text, end, base);
}
Long wide_to_long_long(const wchar_t* text, wchar_t** end, int base) noexcept {
  return parse<real_wcstoll>(caller(), text, end, base);
}
UnsignedLong wide_to_unsigned(const wchar_t* text, wchar_t** end, int base) noexcept {
  return parse<real_wcstoul>(caller(), text, end, base);
}
UnsignedLong wide_to_unsigned_long(const wchar_t* text, wchar_t** end, int base) noexcept {
  return parse<real_wcstoull>(caller(), text, end, base);
}
float wide_to_float(const wchar_t* text, wchar_t** end) noexcept { return parse<real_wcstof>(caller(), text, end); }
double wide_to_double(const wchar_t* text, wchar_t** end) noexcept { return parse<real_wcstod>(caller(), text, end); }
long double wide_to_long_double(const wchar_t* text, wchar_t** end) noexcept {
  return parse<real_wcstold>(caller(), text, end);
}

#if __GLIBC_PREREQ(2, 38)
Long __isoc23_strtol(const char* text, char** end, int base) noexcept {
  return parse<real_c23_strtol>(caller(), text, end, base);
}
Long __isoc23_strtoll(const char* text, char** end, int base) noexcept {
  return parse<real_c23_strtoll>(caller(), text, end, base);
}
Long __isoc23_strtoimax(const char* text, char** end, int base) noexcept {
  return parse<real_c23_strtoimax>(caller(), text, end, base);
}
UnsignedLong __isoc23_strtoul(const char* text, char** end, int base) noexcept {
  return parse<real_c23_strtoul>(caller(), text, end, base);
}
UnsignedLong __isoc23_strtoull(const char* text, char** end, int base) noexcept {
  return parse<real_c23_strtoull>(caller(), text, end, base);
}
UnsignedLong __isoc23_strtoumax(const char* text, char** end, int base) noexcept {
  return parse<real_c23_strtoumax>(caller(), text, end, base);
}
#endif

} // extern "C"
#pragma GCC visibility pop

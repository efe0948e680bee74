// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of printf's arguments are pointers whose memory is used, by the format.

#include "lib/interpose/text/print_format.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <printf.h>

namespace {

using namespace fletcher::interpose;
using Use = PrintedPointer::Use;

struct Found {
  Use use;
  const void* address;
  std::size_t limit;
  bool operator==(const Found&) const = default;
};
void PrintTo(const Found& found, std::ostream* out) {
  *out << "use " << static_cast<int>(found.use) << " of " << found.address << " limit " << found.limit;
}

template <class Char> std::vector<Found> walked(const Char* format, std::va_list arguments) {
  std::vector<Found> found;
  const PrintedPointers pointers = printed_pointers(format, arguments);
  for (const PrintedPointer& pointer : pointers.all()) found.push_back({pointer.use, pointer.address, pointer.limit});
  return found;
}
std::vector<Found> in(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const auto found = walked(format, arguments);
  va_end(arguments);
  return found;
}
std::vector<Found> in_wide(const wchar_t* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const auto found = walked(format, arguments);
  va_end(arguments);
  return found;
}

constexpr std::size_t all = ~std::size_t{0};
const char a[] = "a", b[] = "b", c[] = "c";
const wchar_t w[] = L"w";
long count;

using Texts = std::vector<Found>;

TEST(PrintFormat, WithoutTextsHasNone) {
  EXPECT_EQ(in(""), Texts{});
  EXPECT_EQ(in("plain"), Texts{});
  EXPECT_EQ(in("%d%%%5.2f%c%m%p", 1, 2.0, 'c', static_cast<const void*>(a)), Texts{});
}

TEST(PrintFormat, FindsTextsAmongAllKindsOfArguments) {
  EXPECT_EQ(in("%s", a), (Texts{{Use::text, a, all}}));
  EXPECT_EQ(in("%s %s", a, b), (Texts{{Use::text, a, all}, {Use::text, b, all}}));
  EXPECT_EQ(in("%d %ld %lld %hd %hhd %zu %jd %td %s", 1, 2L, 3LL, 4, 5, std::size_t{6}, std::intmax_t{7},
               std::ptrdiff_t{8}, a),
            (Texts{{Use::text, a, all}}));
  EXPECT_EQ(in("%f %e %Lf %g %s %La %s", 1.0, 2.0, 3.0L, 4.0, a, 5.0L, b),
            (Texts{{Use::text, a, all}, {Use::text, b, all}}));
  EXPECT_EQ(in("%c%lc%C%p%%%-+ #0'5d%s", 'c', L'c', L'c', static_cast<const void*>(b), 1, a),
            (Texts{{Use::text, a, all}}));
}

TEST(PrintFormat, FollowsMoreArgumentsThanRegistersHold) {
  EXPECT_EQ(in("%d%d%d%d%d%d%d%f%f%f%f%f%f%f%f%f%Lf%s%f%s", 1, 2, 3, 4, 5, 6, 7, 1., 2., 3., 4., 5., 6., 7., 8., 9.,
               10.L, a, 11., b),
            (Texts{{Use::text, a, all}, {Use::text, b, all}}));
}

TEST(PrintFormat, KnowsPrecisions) {
  EXPECT_EQ(in("%.5s", a), (Texts{{Use::text, a, 5}}));
  EXPECT_EQ(in("%.s%.0s", a, b), (Texts{{Use::text, a, 0}, {Use::text, b, 0}}));
  EXPECT_EQ(in("%-7.3s", a), (Texts{{Use::text, a, 3}}));
  EXPECT_EQ(in("%.*s", 4, a), (Texts{{Use::text, a, 4}}));
  EXPECT_EQ(in("%*.*s%s", 9, 4, a, b), (Texts{{Use::text, a, 4}, {Use::text, b, all}}));
  EXPECT_EQ(in("%.*s", -4, a), (Texts{{Use::text, a, all}}));
  EXPECT_EQ(in("%*s", -4, a), (Texts{{Use::text, a, all}}));
  EXPECT_EQ(in("%.*f %s", 4, 1.0, a), (Texts{{Use::text, a, all}}));
}

TEST(PrintFormat, KnowsWideTexts) {
  EXPECT_EQ(in("%ls %S %.3ls", w, w, w),
            (Texts{{Use::wide_text, w, all}, {Use::wide_text, w, all}, {Use::wide_text, w, 3}}));
  EXPECT_EQ(in_wide(L"%d %s %ls %.2S", 1, a, w, w),
            (Texts{{Use::text, a, all}, {Use::wide_text, w, all}, {Use::wide_text, w, 2}}));
}

TEST(PrintFormat, LeavesNullOut) {
  EXPECT_EQ(in("%s %s", static_cast<const char*>(nullptr), a), (Texts{{Use::text, a, all}}));
}

TEST(PrintFormat, KnowsCounts) {
  EXPECT_EQ(in("%s%n", a, &count), (Texts{{Use::text, a, all}, {Use::count, &count, 4}}));
  EXPECT_EQ(in("%hhn%hn%ln%lln%jn%zn%tn", &count, &count, &count, &count, &count, &count, &count),
            (Texts{{Use::count, &count, 1},
                   {Use::count, &count, 2},
                   {Use::count, &count, 8},
                   {Use::count, &count, 8},
                   {Use::count, &count, 8},
                   {Use::count, &count, 8},
                   {Use::count, &count, 8}}));
  EXPECT_EQ(in("%.*n%s", 1, &count, a), (Texts{{Use::count, &count, 4}, {Use::text, a, all}}));
}

TEST(PrintFormat, FollowsPositions) {
  EXPECT_EQ(in("%2$s %1$s", a, b), (Texts{{Use::text, b, all}, {Use::text, a, all}}));
  EXPECT_EQ(in("%3$s %1$d %2$f", 1, 2.0, a), (Texts{{Use::text, a, all}}));
  EXPECT_EQ(in("%1$s %1$s", a), (Texts{{Use::text, a, all}, {Use::text, a, all}}));
  EXPECT_EQ(in("%3$.*2$s %1$Lf", 1.0L, 4, a), (Texts{{Use::text, a, 4}}));
  EXPECT_EQ(in("%2$*1$s", 4, a), (Texts{{Use::text, a, all}}));
  EXPECT_EQ(in("%1$d %10$s", 1, 2, 3, 4, 5, 6, 7, 8, 9, c), (Texts{{Use::text, c, all}}));
}

TEST(PrintFormat, StopsAtWhatItDoesNotKnow) {
  EXPECT_EQ(in("%s %W %s", a, 1, b), (Texts{{Use::text, a, all}}));
  EXPECT_EQ(in("%s %Qf %s", a, 1, b), (Texts{{Use::text, a, all}}));
  EXPECT_EQ(in("%W", a), Texts{});
  EXPECT_EQ(in("%s %", a), (Texts{{Use::text, a, all}}));
  EXPECT_EQ(in("%s %.", a), (Texts{{Use::text, a, all}}));
  // Whatever stands before might be of any size.
  EXPECT_EQ(in("%2$s %1$W", 1, a), Texts{});
  EXPECT_EQ(in("%65$s %1$s", a), Texts{});
  EXPECT_EQ(in("%4294967297$s", a), Texts{});
}

TEST(PrintFormat, FollowsNoContradictions) {
  EXPECT_EQ(in("%1$d %1$s", a), Texts{});
  EXPECT_EQ(in("%2$s %1$*2$s", a, b), Texts{});
  EXPECT_EQ(in("%s %hs %s", a, b, c), (Texts{{Use::text, a, all}}));
  EXPECT_EQ(in("%1$s %1$p", a), (Texts{{Use::text, a, all}}));
}

TEST(PrintFormat, StopsAfterManyArguments) {
  std::string format;
  for (std::size_t i = 0; i < PrintedPointers::most; ++i) format += "%1$s";
  EXPECT_EQ(in(format.c_str(), a).size(), PrintedPointers::most);
  EXPECT_EQ(in((format + "%1$s%1$s").c_str(), a).size(), PrintedPointers::most);
  EXPECT_EQ(in("%s%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d"
               "%d%d%d%d%d%d%d%d%d%d%d%d%d%s%s",
               a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
               29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54,
               55, 56, 57, 58, 59, 60, 61, 62, b, c),
            (Texts{{Use::text, a, all}, {Use::text, b, all}}));
}

/// Of what each of the first arguments is, by glibc.
std::vector<int> kinds_by_libc(const std::string& format) {
  std::vector<int> kinds(PrintedPointers::most);
  const std::size_t known = parse_printf_format(format.c_str(), kinds.size(), kinds.data());
  kinds.resize(std::min(known, kinds.size()));
  return kinds;
}

/// What comes after a percent sign, of arguments that are named or none that is.
std::string any_conversion(std::mt19937& random, bool named) {
  using Choice = std::vector<std::string>;
  const auto pick = [&](const Choice& from) { return from[random() % from.size()]; };
  return (named ? pick({"1$", "2$", "3$", "5$"}) : "") + pick({"", "", "-", "0", "+'", "#I"}) +
         (named ? pick({"", "5", "*1$", "*4$"}) : pick({"", "", "5", "*"})) +
         (named ? pick({"", ".", ".3", ".*2$"}) : pick({"", "", ".", ".3", ".*", ".-1"})) +
         pick({"", "", "", "", "h", "hh", "l", "ll", "z", "j", "t", "q"}) +
         pick({"s", "s", "s", "S", "d", "u", "x", "c", "C", "p", "n", "m", "%", "W", "", "~"});
}

// Formats without floating-point numbers, so that all arguments are handed over alike.
TEST(PrintFormat, TakesNothingForATextThatIsNoneForLibc) {
  std::mt19937 random(7);
  std::size_t texts = 0;
  for (int round = 0; round < 100'000; ++round) {
    const bool named = round % 2 == 0;
    std::string format;
    for (auto parts = random() % 5; parts != 0; --parts)
      format += (random() % 4 == 0 ? "~~ %" : "%") + any_conversion(random, named);
    const std::vector<int> kinds = kinds_by_libc(format);
    const char p[20] = {};
    const auto found = in(format.c_str(), p, p + 1, p + 2, p + 3, p + 4, p + 5, p + 6, p + 7, p + 8, p + 9, p + 10,
                          p + 11, p + 12, p + 13, p + 14, p + 15, p + 16, p + 17, p + 18, p + 19);
    for (const Found& one : found) {
      const auto argument = static_cast<std::size_t>(static_cast<const char*>(one.address) - p);
      ASSERT_LT(argument, kinds.size()) << format;
      const int kind = kinds[argument];
      // To glibc "%ls" is of the kind of "%s". Named as several kinds of pointers it may be any of these.
      const bool of_text = kind == PA_STRING || kind == PA_WSTRING, of_count = (kind & PA_FLAG_PTR) != 0;
      const bool same = one.use == Use::count ? of_count : of_text;
      EXPECT_TRUE(same || (named && (of_text || of_count || kind == PA_POINTER)))
          << "argument " << argument << " of kind " << kind << " in " << format;
      ++texts;
    }
  }
  EXPECT_GT(texts, 10'000U);
}

TEST(PrintFormat, TellsItsConversions) {
  EXPECT_TRUE(is_known_conversion('s'));
  EXPECT_TRUE(is_known_conversion('n'));
  EXPECT_FALSE(is_known_conversion('W'));
  EXPECT_FALSE(is_known_conversion(0));
  EXPECT_FALSE(is_known_conversion(300));
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every reader of input survives its examples cut off at any byte, and changed at random. FLETCHER_FUZZ_SEED repeats a
// run.

#include "test/fuzz/readers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

namespace fletcher::test {
namespace {

std::uint32_t seed() {
  const char* const given = std::getenv("FLETCHER_FUZZ_SEED");
  return given != nullptr ? static_cast<std::uint32_t>(std::strtoul(given, nullptr, 0)) : std::random_device{}();
}

class Mutations {
public:
  explicit Mutations(std::uint32_t seed) : random_(seed) {}

  std::string of(std::string text) {
    for (std::size_t changes = 1 + below(6); changes > 0; --changes) change(text);
    return text;
  }

private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

  void change(std::string& text) {
    static const std::vector<std::string> telling{"\"",    "{",    "}",      "[",          "]",
                                                  ",",     ":",    "\n",     "=",          "'",
                                                  "\\",    "-1",   "null",   "4294967296", "18446744073709551616",
                                                  "1e999", "\xff", "\\ud800"};
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min(below(16), text.size() - at);
    switch (below(6)) {
    case 0:
      text.erase(at, length);
      break;
    case 1:
      text.insert(at, text.substr(below(text.size() + 1), 16));
      break;
    case 2:
      text.insert(at, telling[below(telling.size())]);
      break;
    case 3: // a number of a binary format
      for (std::size_t i = at; i < at + length; ++i) text[i] = static_cast<char>(below(4) == 0 ? 0xff : 0);
      break;
    default:
      if (at < text.size()) text[at] = static_cast<char>(below(256));
    }
  }

  std::mt19937 random_;
};

class Readers : public testing::TestWithParam<std::size_t> {};

TEST_P(Readers, SurviveTruncation) {
  const Reader& reader = readers()[GetParam()];
  for (const std::string& example : reader.examples) {
    ASSERT_FALSE(example.empty());
    const std::size_t step = 1 + example.size() / 2000;
    for (std::size_t length = 0; length <= example.size(); length += step)
      reader.read(std::string_view(example).substr(0, length));
  }
}

TEST_P(Readers, SurviveMutations) {
  const Reader& reader = readers()[GetParam()];
  const std::uint32_t from = seed();
  RecordProperty("seed", static_cast<int>(from));
  SCOPED_TRACE(from);
  std::printf("FLETCHER_FUZZ_SEED=%u\n", from);
  std::fflush(stdout);
  Mutations mutations(from);
  for (int i = 0; i < 5000; ++i)
    for (const std::string& example : reader.examples) reader.read(mutations.of(example));
}

INSTANTIATE_TEST_SUITE_P(All, Readers, testing::Range(std::size_t{0}, readers().size()),
                         [](const auto& tested) { return std::string(readers()[tested.param].name); });

} // namespace
} // namespace fletcher::test

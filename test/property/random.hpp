// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A seeded source of choices, the same on every machine (the standard's distributions are not).
#pragma once

#include <cstdint>
#include <random>

namespace fletcher::property {

class Random {
public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  /// In [0, limit); 0 for an empty range.
  std::uint32_t below(std::size_t limit) { return limit == 0 ? 0 : static_cast<std::uint32_t>(engine_() % limit); }
  bool percent(unsigned chance) { return below(100) < chance; }
  std::uint64_t seed() { return engine_(); }

private:
  std::mt19937_64 engine_;
};

} // namespace fletcher::property

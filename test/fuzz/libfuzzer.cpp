// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What libFuzzer calls: the first byte chooses the reader, the rest is its input.

#include "test/fuzz/readers.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto readers = fletcher::test::readers();
  readers[data[0] % readers.size()].read({reinterpret_cast<const char*>(data) + 1, size - 1});
  return 0;
}

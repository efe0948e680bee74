// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose code an address is: the checked program's instrumented modules, the OpenMP runtime or this library, or neither.
// An interposed function asks this of its return address, because libomp, libc and libstdc++ call the same functions
// for themselves.
#pragma once

#include "checker/ids.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace fletcher::interpose {

/// A few ranges of code. Lookups take no lock. O(ranges), and there are rarely more than five.
class CodeRanges {
public:
  constexpr CodeRanges() = default;
  CodeRanges(const CodeRanges&) = delete;
  CodeRanges& operator=(const CodeRanges&) = delete;

  bool contains(Address pc) const noexcept {
    const std::size_t n = count_.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < n; ++i)
      if (pc - ranges_[i].begin < ranges_[i].size) return true;
    return false;
  }
  /// Further ranges than there is room for are not kept. Not thread-safe against itself.
  void add(Address begin, std::size_t size) noexcept;
  void clear() noexcept { count_.store(0, std::memory_order_release); }

private:
  struct Range {
    Address begin = 0;
    std::size_t size = 0;
  };
  std::array<Range, 256> ranges_{};
  std::atomic<std::size_t> count_{0};
};

namespace modules {

inline constinit CodeRanges instrumented{};
inline constinit CodeRanges openmp{};
inline constinit CodeRanges tool{};
inline constinit CodeRanges fortran{};   ///< gfortran's library
inline constinit CodeRanges unwinder{};  ///< what goes back through frames when an exception is thrown
inline constinit CodeRanges cxx{};       ///< the C++ library
inline constinit CodeRanges libraries{}; ///< whose functions' effects are known: what they do besides is their own
/// Of those that are instrumented, images for devices that are the host's own processor.
inline constinit CodeRanges device_images{};

/// Looks at modules loaded since the last call: instrumented are those that need __tsan_init (its return address would
/// not tell, because gcc's constructors tail-call it), and the executable where the tool is linked into it. Cheap when
/// repeated.
void find_instrumented() noexcept;
/// Looks for OpenMP runtimes, and the libraries of gfortran and of C++, among the libraries loaded so far. One that is
/// in the same file as instrumented code cannot be told from it. Cheap once a runtime is found.
void find_runtimes() noexcept;

/// The module around the address is instrumented, though it does not need __tsan_init.
void add_instrumented(Address code) noexcept;
/// The module around the address is an OpenMP runtime.
void add_runtime(Address code) noexcept;
/// It is a library of which a table says what its functions do. Not the program, and nothing that is instrumented.
void add_library(Address code) noexcept;

inline bool is_instrumented(Address pc) noexcept { return instrumented.contains(pc); }
inline bool is_openmp(Address pc) noexcept { return openmp.contains(pc); }
/// The OpenMP runtime or this library.
inline bool is_runtime(Address pc) noexcept { return tool.contains(pc) || openmp.contains(pc); }

} // namespace modules
} // namespace fletcher::interpose

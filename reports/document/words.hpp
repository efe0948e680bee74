// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small pieces of text that every form of a report needs: numbers with their nouns, names of accesses, clean lines.
#pragma once

#include "checker/finding.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace fletcher::reports {

/// "1 byte", "4 bytes".
std::string plural(std::uint64_t count, std::string_view noun);

/// "0x1f".
std::string hexadecimal(std::uint64_t value);

/// `text` on one line, with what `fill(what, number)` says for each "{what number}" in it, or "{what}", which has the
/// number `own`.
std::string fill_placeholders(std::string_view text, std::size_t own,
                              const std::function<std::string(std::string_view, std::size_t)>& fill);

/// "rank 2 of MPI_COMM_WORLD".
std::string rank_words(int rank);

/// The text with control characters (newlines above all) replaced by spaces.
std::string one_line(std::string_view text);

/// "write", "atomic read", …
std::string_view words(AccessType type) noexcept;

/// "omp_lock_t", "critical construct", … as the kind of a lock reads in a sentence.
std::string_view words(MutexKind kind) noexcept;

constexpr bool is_write(AccessType type) noexcept {
  return type == AccessType::write || type == AccessType::atomic_write || type == AccessType::free;
}

/// Shell-like: * any text, ? any character, [...] a set. The whole text must match.
bool glob_matches(std::string_view pattern, std::string_view text);

} // namespace fletcher::reports

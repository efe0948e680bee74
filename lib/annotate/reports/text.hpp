// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what ThreadSanitizer prints: its reports of two accesses that race, apart from everything else that it says.
#pragma once

#include "checker/ids.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::annotate {

/// What ThreadSanitizer knows of a call or an access.
struct PrintedFrame {
  std::string function; ///< empty where unknown
  std::string module;   ///< the file's name, with folders or without
  Address offset = 0;   ///< in the module, of the instruction before the address to return to
};

struct PrintedAccess {
  bool write = false;
  bool atomic = false;
  std::uint32_t size = 0;
  Address address = 0;
  std::uint32_t thread = 0; ///< as ThreadSanitizer numbers them; 0: the main thread
  std::string thread_name;
  bool holds_mutexes = false;
  std::vector<PrintedFrame> frames; ///< innermost first; empty: ThreadSanitizer does not know them any more
};

struct PrintedBlock {
  Address begin = 0;
  std::uint64_t size = 0;
  std::vector<PrintedFrame> allocated_at;
};

struct PrintedRace {
  bool after_free = false;             ///< the earlier access is the end of the block
  PrintedAccess later, earlier;        ///< in the order of ThreadSanitizer's events
  std::optional<PrintedBlock> in_heap; ///< where it says that
};

/// A piece of the text.
struct PrintedPiece {
  std::string_view text;
  std::optional<PrintedRace> race; ///< nothing: it is something else, or not understood
};

/// The text in pieces: each report is one, and what is between two. `all`: nothing will follow. Else what may be the
/// beginning of a report stays out.
std::vector<PrintedPiece> read_reports(std::string_view text, bool all);

} // namespace fletcher::annotate

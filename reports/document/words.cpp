// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small pieces of text. Relies on POSIX fnmatch for globs.
#include "reports/document/words.hpp"

#include <charconv>
#include <fnmatch.h>

namespace fletcher::reports {

std::string plural(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string hexadecimal(std::uint64_t value) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
  return "0x" + std::string(digits, end);
}

std::string rank_words(int rank) { return "rank " + std::to_string(rank) + " of MPI_COMM_WORLD"; }

std::string one_line(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return out;
}

std::string fill_placeholders(std::string_view text, std::size_t own,
                              const std::function<std::string(std::string_view, std::size_t)>& fill) {
  std::string out;
  while (!text.empty()) {
    const auto open = text.find('{'), close = text.find('}', open);
    out += text.substr(0, open);
    if (close == std::string_view::npos) {
      if (open != std::string_view::npos) out += text.substr(open);
      break;
    }
    std::string_view what = text.substr(open + 1, close - open - 1);
    std::size_t number = own;
    if (const auto space = what.find(' '); space != std::string_view::npos) {
      std::from_chars(what.data() + space + 1, what.data() + what.size(), number);
      what = what.substr(0, space);
    }
    out += fill(what, number);
    text.remove_prefix(close + 1);
  }
  return one_line(out);
}

std::string_view words(AccessType type) noexcept {
  switch (type) {
  case AccessType::read:
    return "read";
  case AccessType::write:
    return "write";
  case AccessType::atomic_read:
    return "atomic read";
  case AccessType::atomic_write:
    return "atomic write";
  case AccessType::free:
    return "free";
  }
  return "access";
}

std::string_view words(MutexKind kind) noexcept {
  switch (kind) {
  case MutexKind::lock:
    return "lock";
  case MutexKind::nest_lock:
    return "nestable lock";
  case MutexKind::critical:
    return "critical construct";
  case MutexKind::atomic:
    return "atomic construct's lock";
  case MutexKind::ordered:
    return "ordered region";
  case MutexKind::posix:
    return "mutex";
  case MutexKind::mutexinoutset:
    return "mutexinoutset dependence on";
  }
  return "lock";
}

bool glob_matches(std::string_view pattern, std::string_view text) {
  return ::fnmatch(std::string(pattern).c_str(), std::string(text).c_str(), 0) == 0;
}

} // namespace fletcher::reports

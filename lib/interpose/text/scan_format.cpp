// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/text/scan_format.hpp"

#include "lib/interpose/text/format_cursor.hpp"

#include <array>

namespace fletcher::interpose {

namespace {

constexpr std::size_t unlimited = ~std::size_t{0};

using Length = FormatLength;

/// What stands between two places of the format.
struct Part {
  enum class What : std::uint8_t { space, literal, conversion, end };
  What what = What::end;
  bool suppressed = false, allocates = false;
  unsigned position = 0; ///< of its argument, counted from 1; 0: the next one
  unsigned width = 0;    ///< 0: none
  Length length = Length::none;
  char letter = 0;
};

class Reader : FormatCursor<char> {
public:
  Reader(const char* format, ScanDialect dialect) noexcept : FormatCursor(format), dialect_(dialect) {}

  Part next() noexcept {
    if (*at_ == 0) return {};
    if (is_in(" \t\n\v\f\r")) {
      ++at_;
      return {.what = Part::What::space};
    }
    if (*at_++ != '%') return {.what = Part::What::literal};
    return conversion();
  }

private:
  Part conversion() noexcept {
    Part part{.what = Part::What::conversion};
    const unsigned first = number();
    if (first != 0 && skip('$'))
      part.position = first;
    else
      part.width = first;
    while (is_in("*'I"))
      if (*at_++ == '*') part.suppressed = true;
    if (part.width == 0) part.width = number();
    const bool gnu = dialect_ == ScanDialect::gnu && *at_ == 'a' && (at_[1] == 's' || at_[1] == 'S' || at_[1] == '[');
    if (gnu) ++at_;
    part.allocates = gnu || skip('m');
    part.length = length();
    if (part.length == Length::size) part.length = Length::l; // for glibc, with letters and texts too
    part.letter = *at_;
    if (*at_ == 0) return {};
    ++at_;
    if (part.letter == '[') skip_set();
    return part;
  }
  void skip_set() noexcept {
    skip('^');
    skip(']');
    while (*at_ != 0 && *at_++ != ']') {
    }
  }

  ScanDialect dialect_;
};

/// All of them are pointers.
class Arguments {
public:
  explicit Arguments(std::va_list arguments) noexcept {
    va_copy(all_, arguments);
    va_copy(rest_, arguments);
  }
  ~Arguments() {
    va_end(rest_);
    va_end(all_);
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  void* of(const Part& part) noexcept {
    if (part.position == 0) return va_arg(rest_, void*);
    std::va_list from_first;
    va_copy(from_first, all_);
    void* argument = nullptr;
    for (unsigned i = 0; i < part.position; ++i) argument = va_arg(from_first, void*);
    va_end(from_first);
    return argument;
  }

private:
  std::va_list all_, rest_;
};

std::size_t integer_size(Length length) noexcept {
  constexpr std::array<std::size_t, 6> sizes{sizeof(int), 1, sizeof(short), 8, 8, sizeof(long long)};
  return sizes[static_cast<std::size_t>(length)];
}
std::size_t real_size(Length length) noexcept {
  return length == Length::ll ? sizeof(long double) : length == Length::l ? sizeof(double) : sizeof(float);
}

/// False where the conversion is unknown.
bool interpret(const Part& part, ScannedPointer& pointer) noexcept {
  using Kind = ScannedPointer::Kind;
  const auto is_in = [&](std::string_view letters) { return letters.find(part.letter) != letters.npos; };
  const bool wide = part.length == Length::l || is_in("CS");
  pointer.kind = Kind::value;
  if (is_in("diouxXn")) {
    pointer.size = integer_size(part.length);
  } else if (is_in("aAeEfFgG")) {
    pointer.size = real_size(part.length);
  } else if (is_in("p") || (part.allocates && is_in("cCsS["))) {
    pointer.size = sizeof(void*);
  } else if (is_in("cC")) {
    pointer.size = (part.width != 0 ? part.width : 1) * (wide ? sizeof(wchar_t) : 1);
  } else if (is_in("sS[")) {
    pointer.kind = wide ? Kind::wide_text : Kind::text;
    pointer.size = part.width != 0 ? part.width : unlimited;
  } else {
    return false;
  }
  return true;
}

} // namespace

ScannedPointers scanned_pointers(const char* format, std::va_list arguments, int assigned,
                                 ScanDialect dialect) noexcept {
  ScannedPointers pointers;
  Arguments values(arguments);
  Reader reader(format, dialect);
  int done = 0;
  bool passed = true; // what came after the last conversion that assigned cannot have failed
  while (!pointers.full()) {
    const Part part = reader.next();
    if (part.what == Part::What::end) break;
    if (part.what == Part::What::space) continue;
    if (part.what == Part::What::literal || part.letter == '%' || part.suppressed) {
      passed = false;
      continue;
    }
    ScannedPointer pointer{};
    if (!interpret(part, pointer)) break;
    const bool counts = part.letter != 'n';
    if (counts && done >= assigned) break;
    pointer.address = values.of(part);
    if (counts || done < assigned || (assigned >= 0 && passed)) pointers.add(pointer);
    if (counts) {
      ++done;
      passed = true;
    }
  }
  return pointers;
}

} // namespace fletcher::interpose

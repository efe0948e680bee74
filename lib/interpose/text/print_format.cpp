// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/text/print_format.hpp"

#include "lib/interpose/text/format_cursor.hpp"

#include <string_view>

namespace fletcher::interpose {

namespace {

constexpr std::size_t unlimited = ~std::size_t{0};

/// What an argument is, for the way in which it is handed over. What nobody names is an integer, for glibc, too.
enum class Kind : std::uint8_t { unnamed, integer, long_integer, real, long_real, pointer };

/// Arguments are counted from 1; 0: none.
struct Conversion {
  unsigned width = 0, precision = 0, argument = 0; ///< the arguments that these are
  Kind kind = Kind::unnamed;
  bool points = false; ///< to memory, which is used so:
  PrintedPointer::Use use = PrintedPointer::Use::text;
  std::size_t limit = unlimited;
};

using Length = FormatLength;

constexpr std::string_view integers = "diouxX", reals = "aAeEfFgG", flags = "-+ #0'I";

template <class Char> class Reader : FormatCursor<Char> {
public:
  explicit Reader(const Char* format) noexcept : FormatCursor<Char>(format) {}

  /// False where the format ends or cannot be followed any further.
  bool next(Conversion& conversion) noexcept {
    while (*at_ != '%') {
      if (*at_ == 0) return false;
      ++at_;
    }
    ++at_;
    conversion = {};
    const unsigned named = position();
    while (is_in(flags)) ++at_;
    if (skip('*'))
      conversion.width = argument(position());
    else
      number();
    if (skip('.')) {
      if (skip('*'))
        conversion.precision = argument(position());
      else
        conversion.limit = number();
    }
    const Length length = this->length();
    return interpret(conversion, length, named) && followed_;
  }
  /// A conversion was not understood, or is not complete.
  bool lost() const noexcept { return !followed_; }
  bool positional() const noexcept { return positional_; }

private:
  using FormatCursor<Char>::at_, FormatCursor<Char>::is_in, FormatCursor<Char>::skip, FormatCursor<Char>::number;

  /// The number before a dollar sign; 0, and nothing skipped, where there is none.
  unsigned position() noexcept {
    const Char* const begin = at_;
    const unsigned value = number();
    if (value != 0 && skip('$')) {
      positional_ = true;
      return value;
    }
    at_ = begin;
    return 0;
  }
  unsigned argument(unsigned named) noexcept {
    const unsigned which = named != 0 ? named : ++counted_;
    if (which <= PrintedPointers::most) return which;
    followed_ = false;
    return 0;
  }
  bool interpret(Conversion& conversion, Length length, unsigned named) noexcept {
    const bool is_long = length >= Length::l;
    if (is_in("%m")) { // no argument
      ++at_;
      return true;
    }
    if (is_in(integers)) {
      conversion.kind = is_long ? Kind::long_integer : Kind::integer;
    } else if (is_in(reals)) {
      conversion.kind = length == Length::ll ? Kind::long_real : Kind::real;
    } else if (is_in("cC")) {
      conversion.kind = Kind::integer;
    } else if (is_in("sS") && (length == Length::none || length == Length::l)) {
      conversion.kind = Kind::pointer;
      conversion.points = true;
      const bool wide = *at_ == 'S' || length == Length::l;
      conversion.use = wide ? PrintedPointer::Use::wide_text : PrintedPointer::Use::text;
    } else if (is_in("p")) {
      conversion.kind = Kind::pointer;
    } else if (is_in("n")) {
      conversion.kind = Kind::pointer;
      conversion.points = true;
      conversion.use = PrintedPointer::Use::count;
      conversion.limit = is_long ? 8 : length == Length::none ? 4 : length == Length::h ? 2 : 1;
    } else {
      followed_ = false;
      return false;
    }
    ++at_;
    conversion.argument = argument(named);
    return true;
  }

  unsigned counted_ = 0;
  bool positional_ = false, followed_ = true;
};

/// The arguments from the first to the last that is known, numbers and pointers as they are.
class Arguments {
public:
  void note(unsigned argument, Kind kind) noexcept {
    if (argument == 0) return;
    Kind& known = kinds_[argument - 1];
    contradicted_ |= known != Kind::unnamed && known != kind;
    known = kind;
    if (argument > size_) size_ = argument;
  }
  /// One of them is named as two different things.
  bool contradicted() const noexcept { return contradicted_; }
  void fetch(std::va_list arguments) noexcept {
    std::va_list rest;
    va_copy(rest, arguments);
    for (unsigned i = 0; i < size_; ++i) {
      values_[i] = 0;
      switch (kinds_[i]) {
      case Kind::unnamed:
      case Kind::integer:
        values_[i] = va_arg(rest, int);
        break;
      case Kind::long_integer:
        values_[i] = va_arg(rest, long);
        break;
      case Kind::real:
        (void)va_arg(rest, double);
        break;
      case Kind::long_real:
        (void)va_arg(rest, long double);
        break;
      case Kind::pointer:
        values_[i] = reinterpret_cast<long>(va_arg(rest, void*));
        break;
      }
    }
    va_end(rest);
  }
  long operator[](unsigned argument) const noexcept { return values_[argument - 1]; }

private:
  std::array<Kind, PrintedPointers::most> kinds_{};
  std::array<long, PrintedPointers::most> values_;
  unsigned size_ = 0;
  bool contradicted_ = false;
};

} // namespace

template <class Char> PrintedPointers printed_pointers(const Char* format, std::va_list arguments) noexcept {
  PrintedPointers pointers;
  Arguments known;
  bool any = false;
  Conversion conversion;
  Reader<Char> first(format);
  while (first.next(conversion)) {
    known.note(conversion.width, Kind::integer);
    known.note(conversion.precision, Kind::integer);
    known.note(conversion.argument, conversion.kind);
    any |= conversion.points;
  }
  // Of arguments that are named, those before may be what was not understood.
  if (!any || known.contradicted() || (first.lost() && first.positional())) return pointers;
  known.fetch(arguments);
  for (Reader<Char> again(format); again.next(conversion);) {
    if (!conversion.points) continue;
    std::size_t limit = conversion.limit;
    if (conversion.precision != 0 && conversion.use != PrintedPointer::Use::count) {
      const long precision = known[conversion.precision];
      limit = precision < 0 ? unlimited : static_cast<std::size_t>(precision);
    }
    void* const address = reinterpret_cast<void*>(known[conversion.argument]);
    if (address != nullptr) pointers.add({conversion.use, address, limit});
  }
  return pointers;
}

template PrintedPointers printed_pointers(const char*, std::va_list) noexcept;
template PrintedPointers printed_pointers(const wchar_t*, std::va_list) noexcept;

bool is_known_conversion(int letter) noexcept {
  constexpr std::string_view known = "diouxXaAeEfFgGcCsSpn";
  return letter > 0 && letter < 128 && known.find(static_cast<char>(letter)) != known.npos;
}

} // namespace fletcher::interpose

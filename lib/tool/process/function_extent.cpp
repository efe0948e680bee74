// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By the Linux Standard Base, "Exception Frames", and the Itanium C++ ABI, "Exception Handling Tables".
#include "lib/tool/process/function_extent.hpp"

#include <cstdint>
#include <cstring>

extern "C" {
/// Of libgcc and of LLVM's libunwind; in no header.
struct dwarf_eh_bases { // NOLINT(readability-identifier-naming)
  void* text;
  void* data;
  void* function;
};
const void* _Unwind_Find_FDE(void* pc, dwarf_eh_bases* bases);
}

namespace fletcher::tool {

namespace {

/// Goes through such a table.
class Bytes {
public:
  explicit Bytes(Address at) : at_(reinterpret_cast<const std::uint8_t*>(at)) {}
  Address at() const noexcept { return reinterpret_cast<Address>(at_); }
  template <class Number> Number number() noexcept {
    Number value{};
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::uint64_t uleb128() noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = number<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) return value;
    }
  }
  const char* text() noexcept {
    const char* const begin = reinterpret_cast<const char*>(at_);
    at_ += std::strlen(begin) + 1;
    return begin;
  }
  void skip(std::size_t bytes) noexcept { at_ += bytes; }

private:
  const std::uint8_t* at_;
};

/// How an address is written: relative to its place, in four bytes, perhaps indirectly; and not at all.
constexpr std::uint8_t relative = 0x1b, indirect = 0x80, omitted = 0xff, as_uleb128 = 0x01;

Address relative_address(Bytes& bytes) noexcept {
  const Address from = bytes.at();
  return from + static_cast<Address>(std::int64_t{bytes.number<std::int32_t>()});
}

struct Entry {
  FunctionExtent function;
  Address shared, rest; ///< of the information that it shares with others; what follows the extent
};

std::optional<Entry> entry_of(Address code) noexcept {
  dwarf_eh_bases bases{};
  const void* const found = _Unwind_Find_FDE(reinterpret_cast<void*>(code), &bases);
  if (found == nullptr) return std::nullopt;
  Bytes bytes(reinterpret_cast<Address>(found));
  bytes.skip(sizeof(std::uint32_t)); // its length
  const Address distance_at = bytes.at();
  const Address shared = distance_at - bytes.number<std::uint32_t>();
  const Address begin = relative_address(bytes);
  const auto size = bytes.number<std::uint32_t>();
  if (begin != reinterpret_cast<Address>(bases.function) || code - begin >= size) return std::nullopt;
  return Entry{{begin, begin + size}, shared, bytes.at()};
}

/// Whether the entry that shares `shared` names a table of landing pads; nothing where that has another form.
std::optional<bool> has_table(Address shared) noexcept {
  Bytes bytes(shared);
  bytes.skip(2 * sizeof(std::uint32_t)); // length, id
  const auto version = bytes.number<std::uint8_t>();
  const char* const letters = bytes.text();
  if (version != 1 || *letters != 'z') return *letters == '\0' ? std::optional(false) : std::nullopt;
  bytes.uleb128(), bytes.uleb128(); // alignments
  bytes.skip(1);                    // return address
  bytes.uleb128();
  for (const char* letter = letters + 1; *letter != '\0'; ++letter) {
    if (*letter == 'S') continue;
    const auto form = bytes.number<std::uint8_t>();
    if (*letter == 'L') return form == relative ? std::optional(true) : std::nullopt;
    if (*letter == 'P' && (form & ~indirect) != relative) return std::nullopt;
    if (*letter == 'P') bytes.skip(sizeof(std::int32_t));
  }
  return false;
}

} // namespace

std::optional<FunctionExtent> function_around(Address code) noexcept {
  const auto entry = entry_of(code);
  return entry ? std::optional(entry->function) : std::nullopt;
}

std::optional<std::vector<LandingPad>> landing_pads_around(Address code) {
  const auto entry = entry_of(code);
  const auto has = entry ? has_table(entry->shared) : std::nullopt;
  if (!has) return std::nullopt;
  std::vector<LandingPad> pads;
  if (!*has) return pads;
  Bytes rest(entry->rest);
  rest.uleb128();
  const Address place = rest.at(), table = relative_address(rest);
  if (table == place) return pads; // none
  Bytes bytes(table);
  if (bytes.number<std::uint8_t>() != omitted) return std::nullopt; // pads elsewhere
  if (bytes.number<std::uint8_t>() != omitted) bytes.uleb128();
  if (bytes.number<std::uint8_t>() != as_uleb128) return std::nullopt;
  const std::uint64_t size = bytes.uleb128();
  const Address begin = entry->function.begin, end = bytes.at() + size;
  while (bytes.at() < end) {
    const Address from = begin + bytes.uleb128(), to = from + bytes.uleb128();
    const std::uint64_t pad = bytes.uleb128();
    bytes.uleb128(); // what it catches
    if (pad != 0) pads.push_back({from, to, begin + pad});
  }
  return pads;
}

} // namespace fletcher::tool

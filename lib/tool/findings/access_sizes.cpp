// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/findings/access_sizes.hpp"

#include "lib/tool/process/call_target.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace fletcher::tool {

namespace {

/// What a call says about the bytes that it accesses.
struct Extent {
  enum class Kind { fixed, by_arguments, of_several_accesses } kind = Kind::fixed;
  std::uint32_t bytes = 0; ///< where it is fixed
};

/// "4" of "__tsan_unaligned_read4", "32" of "__tsan_atomic32_load".
std::optional<std::uint32_t> number_after(std::string_view name, std::string_view word) {
  const auto at = name.find(word);
  std::uint32_t value = 0;
  if (at == std::string_view::npos) return std::nullopt;
  const char* const digits = name.data() + at + word.size();
  return std::from_chars(digits, name.data() + name.size(), value).ec == std::errc() ? std::optional(value)
                                                                                     : std::nullopt;
}

/// Of an entry point of the instrumentation.
Extent by_name(std::string_view name) {
  if (name.starts_with("__tsan_mem")) return {Extent::Kind::by_arguments};
  if (name.starts_with("__tsan_vptr")) return {Extent::Kind::fixed, sizeof(void*)};
  if (const auto bits = number_after(name, "__tsan_atomic")) return {Extent::Kind::fixed, *bits / 8};
  for (const std::string_view word : {"read", "write"})
    if (const auto bytes = number_after(name, word)) return {Extent::Kind::fixed, *bytes};
  return {Extent::Kind::of_several_accesses}; // maybe: lib/pass makes a range of a loop's accesses
}

Dl_info about(const void* code) {
  Dl_info info{};
  dladdr(code, &info);
  return info;
}

/// Nothing where that cannot be known, as after a jump in place of a call.
std::optional<Extent> extent_of_call(Address return_address) {
  const auto function = call_target(return_address);
  if (!function) return std::nullopt;
  const Dl_info info = about(reinterpret_cast<const void*>(*function));
  if (info.dli_sname == nullptr || reinterpret_cast<Address>(info.dli_saddr) != *function) return std::nullopt;
  const std::string_view name = info.dli_sname;
  if (name.starts_with("__tsan_") || name.starts_with("__fletcher_")) return by_name(name);
  // A function of libc's that this library stands in front of: memcpy, strlen.
  const bool interposed = info.dli_fbase == about(reinterpret_cast<const void*>(&extent_of_call)).dli_fbase;
  return interposed ? std::optional(Extent{Extent::Kind::by_arguments}) : std::nullopt;
}

/// One of the accesses of so many bytes that what is known was joined from.
void take_one(AccessDescription& access, std::uint32_t bytes, Address met) {
  if (bytes == 0 || bytes >= access.size || access.size % bytes != 0) return;
  access.address += (met - access.address) / bytes * bytes;
  access.size = bytes;
}

} // namespace

void tell_sizes(Finding& finding) {
  if (finding.rule != Rule::data_race || finding.accesses.size() != 2 || finding.cause == Cause::simd_lanes) return;
  AccessDescription &later = finding.accesses[0], &earlier = finding.accesses[1];
  const auto end = [](const AccessDescription& a) { return a.size == 0 ? ~Address{0} : a.address + a.size; };
  const Address met = std::max(later.address, earlier.address), met_end = std::min(end(later), end(earlier));
  for (AccessDescription* const access : {&later, &earlier}) {
    if (access->size == 0 || access->stack.empty() || !access->function.empty()) continue;
    const auto extent = extent_of_call(access->stack.front() + 1); // the place is within the call
    if (!extent) continue;
    switch (extent->kind) {
    case Extent::Kind::fixed:
      take_one(*access, extent->bytes, met);
      break;
    case Extent::Kind::by_arguments: // of the later one they are known
      if (access == &earlier) access->size = 0;
      break;
    case Extent::Kind::of_several_accesses:
      access->address = met;
      access->size = static_cast<std::uint32_t>(met_end - met);
      break;
    }
  }
}

} // namespace fletcher::tool

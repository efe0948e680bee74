// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/effects/argument_uses.hpp"

#include "checker/memory/hash.hpp"
#include "checker/memory/spin_lock.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>

#include <cxxabi.h>

namespace fletcher::interpose::argument_uses {

namespace {

struct Use {
  const BoundCall* call;
  const effects::Parameter* parameter;
  const effects::Effect* effect;
  std::int64_t rows, columns, step; ///< rows 0: of any size
  char triangle;
  bool transposed;
  friend bool operator==(const Use&, const Use&) = default;
};

constexpr std::size_t most = 4096, slots = 2 * most;
/// So many are distinguished by their size; then there is still one for each argument.
constexpr std::size_t most_with_size = 3072;
constinit std::array<Use, most> uses{};
constinit std::array<std::atomic<std::uint32_t>, slots> index{}; ///< of a use, plus 1; open addressing
constinit std::size_t used = 0;
constinit memory::SpinLock lock{};

std::size_t hash(const Use& use) noexcept {
  std::uint64_t h = reinterpret_cast<std::uintptr_t>(use.call) ^ reinterpret_cast<std::uintptr_t>(use.effect) << 7;
  for (const std::int64_t part : {use.rows, use.columns, use.step, std::int64_t{use.triangle}})
    h = memory::spread(h ^ static_cast<std::uint64_t>(part));
  return static_cast<std::size_t>(h >> 40) % slots;
}

/// Where it stands, or would.
std::size_t slot_of(const Use& use) noexcept {
  std::size_t slot = hash(use);
  for (std::uint32_t at; (at = index[slot].load(std::memory_order_acquire)) != 0 && uses[at - 1] != use;)
    slot = (slot + 1) % slots;
  return slot;
}

const Use* find_or_add(const Use& use, std::size_t room) {
  if (const std::uint32_t at = index[slot_of(use)].load(std::memory_order_acquire)) return &uses[at - 1];
  const memory::SpinGuard guard(lock);
  const std::size_t slot = slot_of(use);
  if (const std::uint32_t at = index[slot].load(std::memory_order_relaxed)) return &uses[at - 1];
  if (used >= room) return nullptr;
  uses[used] = use;
  index[slot].store(static_cast<std::uint32_t>(++used), std::memory_order_release);
  return &uses[used - 1];
}

/// Of C++, without its parameters.
std::string cxx_name(const std::string& symbol) {
  char* const demangled = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, nullptr);
  if (demangled == nullptr) return symbol;
  std::string name(demangled);
  std::free(demangled);
  return name.substr(0, name.find('('));
}

std::string name_of(const BoundCall& call) {
  if (call.symbol.starts_with("_Z")) return cxx_name(call.symbol);
  if (call.signature.form().convention != effects::Convention::fortran) return call.symbol;
  std::string name(call.signature.function().name);
  for (char& c : name)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return name;
}

std::string count_of(std::int64_t count, const char* one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

std::string size_of(const Use& use) {
  const std::string step = std::to_string(use.step);
  const bool is_bytes = use.parameter->kind == effects::Kind::bytes;
  switch (use.effect->shape) {
  case effects::Shape::vector:
    return count_of(use.rows, is_bytes ? "byte" : "element") + (use.step > 1 ? ", increment " + step : "");
  case effects::Shape::packed:
    return count_of(use.rows, "element") + " of a packed triangle";
  case effects::Shape::swapped:
    return "rows of " + count_of(use.columns, "element") + ", leading dimension " + step;
  case effects::Shape::matrix:
    break;
  }
  const std::string triangle = use.triangle == 'U'   ? "upper triangle of "
                               : use.triangle == 'L' ? "lower triangle of "
                                                     : "";
  return (use.effect->is_band ? "band of " : triangle) + std::to_string(use.transposed ? use.columns : use.rows) +
         " x " + std::to_string(use.transposed ? use.rows : use.columns) + ", leading dimension " + step;
}

const Use* use_at(Address place) noexcept {
  const std::size_t offset = place - reinterpret_cast<Address>(uses.data());
  return offset < sizeof uses && offset % sizeof(Use) == 0 ? &uses[offset / sizeof(Use)] : nullptr;
}

} // namespace

Address place(const BoundCall& call, const effects::Parameter& parameter, const effects::Extent& extent) {
  Use use{&call,          &parameter,  extent.effect,   extent.rows,
          extent.columns, extent.step, extent.triangle, extent.transposed};
  const Use* found = find_or_add(use, most_with_size);
  if (found == nullptr) {
    use.rows = use.columns = use.step = 0;
    use.triangle = 0;
    use.transposed = false;
    found = find_or_add(use, most);
  }
  return reinterpret_cast<Address>(found != nullptr ? found : uses.data());
}

void tell(Finding& finding) {
  for (AccessDescription& access : finding.accesses) {
    const Use* const use = access.stack.empty() ? nullptr : use_at(access.stack.front());
    if (use == nullptr) continue;
    access.function = name_of(*use->call);
    access.argument = use->parameter->name;
    if (use->effect->through.given()) access.argument = "what " + access.argument + " leads to";
    if (use->rows != 0) access.argument += " (" + size_of(*use) + ")";
    access.size = 0;
    access.stack.erase(access.stack.begin());
    if (!access.stack.empty()) --access.stack.front(); // within the call
  }
}

} // namespace fletcher::interpose::argument_uses

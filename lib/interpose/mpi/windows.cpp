// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/windows.hpp"

#include "checker/memory/spin_lock.hpp"
#include "lib/interpose/mpi/uses/uses.hpp"
#include "lib/tool/thread.hpp"

#include <map>
#include <unordered_map>
#include <utility>

namespace fletcher::interpose::mpi::windows {

namespace {

struct Part {
  Address base = 0;
  Displacement unit = 1;
  int rank = -1;
  std::uint64_t id = 0, fences = 0;
  std::uint32_t number = 0; ///< of the windows so far
  bool fenced = false;
  std::map<int, Address> open; ///< by target, -1 for all: where it began
};
struct Parts {
  memory::SpinLock lock;
  std::unordered_map<Handle, Part> of;
  std::uint32_t made = 0;
};
Parts& parts() {
  static auto* const the = new Parts; // never destroyed
  return *the;
}

/// `f(part)` for what is known of the window, else what it would be of one that is not known.
template <class Result, class F> Result with(Handle window, Result unknown, F f) {
  if (abi() == nullptr) return unknown;
  const tool::InsideTool inside;
  Parts& all = parts();
  const memory::SpinGuard guard(all.lock);
  const auto found = all.of.find(abi()->clean(window));
  return found == all.of.end() ? unknown : f(found->second);
}

} // namespace

void made(Handle window, const void* base, Displacement unit, Handle communicator, std::uint64_t id) {
  const tool::InsideTool inside;
  Part part;
  part.base = reinterpret_cast<Address>(base);
  part.unit = unit;
  part.rank = rank_in(communicator);
  part.id = id;
  Parts& all = parts();
  const memory::SpinGuard guard(all.lock);
  part.number = all.made++;
  all.of[abi()->clean(window)] = std::move(part);
}

void forget(Handle window) {
  const tool::InsideTool inside;
  Parts& all = parts();
  const memory::SpinGuard guard(all.lock);
  all.of.erase(abi()->clean(window));
}

bool allows_more(int assertion) noexcept { return (assertion & abi()->no_succeed()) == 0; }
void fenced(Handle window, int assertion) {
  with(window, false, [&](Part& part) { return part.fenced = allows_more(assertion); });
}
void began(Handle window, int target, Address pc) {
  with(window, pc, [&](Part& part) { return part.open[target] = pc; });
}
void ended(Handle window, int target) {
  with(window, std::size_t{0}, [&](Part& part) { return part.open.erase(target); });
}
bool is_in_epoch(Handle window, int target) {
  return with(window, true,
              [&](const Part& part) { return part.fenced || part.open.contains(target) || part.open.contains(-1); });
}
Address still_open(Handle window) {
  return with(window, Address{0}, [](const Part& part) { return part.open.empty() ? 0 : part.open.begin()->second; });
}

namespace {
/// Like the ends of operations no object's address.
Exposure exposure_of(const Part& part) {
  constexpr Address no_object = (Address{3} << 62) + (Address{1} << 32);
  return {
      part.id, part.fences, part.base, part.unit, part.rank, part.fenced && part.open.empty(), no_object + part.number};
}
} // namespace

Exposure exposure(Handle window) { return with(window, Exposure{}, exposure_of); }
Exposure next_fence(Handle window) {
  return with(window, Exposure{}, [](Part& part) {
    const Exposure before = exposure_of(part);
    ++part.fences;
    return before;
  });
}

const void* own_part(Handle window, int target, Displacement at) {
  const tool::InsideTool inside;
  Parts& all = parts();
  const memory::SpinGuard guard(all.lock);
  const auto found = all.of.find(abi()->clean(window));
  if (found == all.of.end() || found->second.rank != target) return nullptr;
  return reinterpret_cast<const void*>(found->second.base + static_cast<Address>(at * found->second.unit));
}

} // namespace fletcher::interpose::mpi::windows

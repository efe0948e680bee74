// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/objects.hpp"

#include "lib/interpose/mpi/ranks/meetings.hpp"
#include "lib/tool/thread.hpp"

#include "checker/memory/spin_lock.hpp"

#include <map>
#include <tuple>

namespace fletcher::interpose::mpi::objects {

namespace {

using Name = std::tuple<MpiUse::Of, Handle, std::int64_t>;

struct Numbers {
  memory::SpinLock lock;
  std::map<Name, std::uint32_t> known;
  std::uint32_t last = 0, places = 0;
};
Numbers& numbers() {
  static auto* const the = new Numbers; // never destroyed
  return *the;
}

} // namespace

std::uint32_t number(MpiUse::Of kind, Handle object, std::int64_t part) {
  constexpr std::uint32_t most_places = 1u << 15, not_followed = ~0u;
  const tool::InsideTool inside;
  Numbers& all = numbers();
  const memory::SpinGuard guard(all.lock);
  const Name name{kind, abi()->clean(object), part};
  const bool place = kind == MpiUse::Of::place;
  if (place && all.places == most_places && !all.known.contains(name)) return not_followed;
  std::uint32_t& number = all.known[name];
  if (number != 0) return number;
  all.places += place;
  return number = ++all.last;
}

void forget(MpiUse::Of kind, Handle object) {
  const tool::InsideTool inside;
  Numbers& all = numbers();
  const memory::SpinGuard guard(all.lock);
  const Handle handle = abi()->clean(object);
  const auto is_its = [&](const auto& one) {
    return std::get<0>(one.first) == kind && std::get<1>(one.first) == handle;
  };
  std::erase_if(all.known, is_its);
}

void forget_communicator(Handle communicator) {
  forget(MpiUse::Of::collective, communicator);
  forget(MpiUse::Of::messages, communicator);
  meetings::forget(communicator);
}

} // namespace fletcher::interpose::mpi::objects

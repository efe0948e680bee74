// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/objects.hpp"

#include "lib/tool/thread.hpp"

#include "checker/memory/spin_lock.hpp"

#include <map>
#include <tuple>

namespace fletcher::interpose::mpi::objects {

namespace {

using Name = std::tuple<MpiUse::Of, Handle, int>;

struct Numbers {
  memory::SpinLock lock;
  std::map<Name, std::uint32_t> known;
  std::uint32_t last = 0;
};
Numbers& numbers() {
  static auto* const the = new Numbers; // never destroyed
  return *the;
}

} // namespace

std::uint32_t number(MpiUse::Of kind, Handle object, int part) {
  const tool::InsideTool inside;
  Numbers& all = numbers();
  const memory::SpinGuard guard(all.lock);
  std::uint32_t& number = all.known[{kind, abi()->clean(object), part}];
  if (number == 0) number = ++all.last;
  return number;
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
}

} // namespace fletcher::interpose::mpi::objects

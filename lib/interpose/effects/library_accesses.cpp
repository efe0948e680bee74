// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/effects/library_accesses.hpp"

#include "checker/access/ranges/pieces.hpp"
#include "lib/interpose/binding/modules.hpp"
#include "lib/interpose/effects/argument_uses.hpp"

#include <atomic>

namespace fletcher::interpose::library_accesses {

namespace {
constinit std::atomic<bool> all_count{false};
} // namespace

bool counts(Address pc) noexcept { return modules::is_instrumented(pc) || all_count.load(std::memory_order_relaxed); }
void count_all() noexcept { all_count.store(true, std::memory_order_relaxed); }

void make(access::ThreadState& thread, const BoundCall& call, const effects::Arguments& arguments,
          const effects::Extent& extent) {
  if (extent.empty()) return;
  const access::Kind kind = kind_of(*extent.effect);
  const Address place = argument_uses::place(call, call.signature.parameter(extent.effect->parameter), extent);
  effects::each_piece(arguments, extent, [&](const effects::Pieces& pieces) {
    access::check_pieces(thread, reinterpret_cast<Address>(pieces.first), static_cast<std::int64_t>(pieces.step),
                         pieces.size, pieces.count, kind, place);
  });
}

void make(access::ThreadState& thread, const BoundCall& call, const effects::Registers& registers, Address pc) {
  const effects::Arguments arguments(call.signature, registers);
  const WithinCall within(thread, pc);
  for (const effects::Effect& effect : call.signature.effects())
    make(thread, call, arguments, effects::extent_of(arguments, effect));
}

} // namespace fletcher::interpose::library_accesses

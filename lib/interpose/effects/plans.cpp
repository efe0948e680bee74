// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/effects/plans.hpp"

#include "checker/access/ranges/pieces.hpp"
#include "checker/memory/spin_lock.hpp"
#include "lib/interpose/effects/argument_uses.hpp"
#include "lib/interpose/observe.hpp"

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

// What the planner knows, of which the program has no variable. Shown, so that a finding can name it.
extern "C" {
[[gnu::visibility("default")]] constinit std::uint64_t fletcher_state_of_fftw_planner = 0;
}

namespace fletcher::interpose::plans {

namespace {

/// An array that the plan reads or writes.
struct Array {
  const effects::Parameter* parameter;
  effects::Extent extent;
  std::vector<effects::Pieces> pieces;
};
using Plan = std::vector<Array>;

constinit memory::SpinLock lock{};
constinit std::atomic<bool> concurrent_planning{false};

auto& plans() {
  static auto* const the = new std::unordered_map<std::uint64_t, std::shared_ptr<const Plan>>; // never destroyed
  return *the;
}

void access_all(access::ThreadState& thread, std::span<const effects::Pieces> pieces, std::ptrdiff_t moved,
                access::Kind kind, Address place) {
  for (const effects::Pieces& one : pieces)
    access::check_pieces(thread, reinterpret_cast<Address>(one.first + moved), static_cast<std::int64_t>(one.step),
                         one.size, one.count, kind, place);
}

std::optional<std::uint8_t> parameter(const BoundCall& call, std::string_view name) {
  const auto parameters = call.signature.table().parameters_of(call.signature.function());
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].name == name) return static_cast<std::uint8_t>(i);
  return std::nullopt;
}

/// FFTW_ESTIMATE: nothing is tried out.
bool only_estimates(const BoundCall& call, const effects::Arguments& arguments) {
  constexpr std::int64_t estimate = 1 << 6;
  const auto flags = parameter(call, "flags");
  return flags && (arguments.integer(*flags) & estimate) != 0;
}

void use_planner(access::ThreadState& thread, Address pc) {
  if (!concurrent_planning.load(std::memory_order_relaxed))
    writes(thread, &fletcher_state_of_fftw_planner, sizeof fletcher_state_of_fftw_planner, pc);
}

} // namespace

void allow_concurrent_planning() noexcept { concurrent_planning.store(true, std::memory_order_relaxed); }

void before(access::ThreadState& thread, const BoundCall& call, const effects::Registers& registers, Address pc) {
  use_planner(thread, pc);
  const effects::Arguments arguments(call.signature, registers);
  if (only_estimates(call, arguments)) return;
  const library_accesses::WithinCall within(thread, pc);
  for (const effects::Effect& effect : call.signature.effects()) {
    const effects::Extent extent = effects::extent_of(arguments, effect);
    if (extent.empty()) continue;
    const Address place = argument_uses::place(call, call.signature.parameter(effect.parameter), extent);
    effects::each_piece(arguments, extent, [&](const effects::Pieces& pieces) {
      access_all(thread, std::span(&pieces, 1), 0, access::Kind::write, place);
    });
  }
}

void made(const BoundCall& call, const effects::Registers& registers, std::uint64_t plan) {
  if (plan == 0) return;
  const tool::InsideTool inside;
  const effects::Arguments arguments(call.signature, registers);
  auto arrays = std::make_shared<Plan>();
  for (const effects::Effect& effect : call.signature.effects()) {
    const effects::Extent extent = effects::extent_of(arguments, effect);
    if (extent.empty()) continue;
    Array array{.parameter = &call.signature.parameter(effect.parameter), .extent = extent, .pieces = {}};
    effects::each_piece(arguments, extent, [&](const effects::Pieces& pieces) { array.pieces.push_back(pieces); });
    arrays->push_back(std::move(array));
  }
  const memory::SpinGuard guard(lock);
  plans()[plan] = std::move(arrays);
}

void execute(access::ThreadState& thread, const BoundCall& call, const effects::Registers& registers, Address pc) {
  const std::uint64_t handle = registers.general[0];
  reads(thread, reinterpret_cast<const void*>(handle), sizeof handle, pc);
  std::shared_ptr<const Plan> plan;
  {
    const tool::InsideTool inside;
    const memory::SpinGuard guard(lock);
    if (const auto found = plans().find(handle); found != plans().end()) plan = found->second;
  }
  if (plan == nullptr) return;
  const effects::Arguments arguments(call.signature, registers);
  const library_accesses::WithinCall within(thread, pc);
  for (const Array& array : *plan) {
    std::ptrdiff_t moved = 0;
    if (const auto other = parameter(call, array.parameter->name))
      moved = arguments.address(*other) - array.extent.first;
    const access::Kind kind = library_accesses::kind_of(*array.extent.effect);
    access_all(thread, array.pieces, moved, kind, argument_uses::place(call, *array.parameter, array.extent));
  }
  const tool::InsideTool inside; // the last one may free it
  plan.reset();
}

void end(access::ThreadState& thread, bool checked, const effects::Registers& registers, Address pc) {
  const std::uint64_t handle = registers.general[0];
  if (handle == 0) return;
  if (checked) {
    use_planner(thread, pc);
    writes(thread, reinterpret_cast<const void*>(handle), sizeof handle, pc);
  }
  const tool::InsideTool inside;
  const memory::SpinGuard guard(lock);
  plans().erase(handle);
}

} // namespace fletcher::interpose::plans

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/findings/needed_values.hpp"

#include "lib/tool/process/call_target.hpp"
#include "lib/tool/process/instruction.hpp"
#include "lib/tool/process/peek.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace fletcher::tool {

namespace {

using Does = Instruction::Does;

/// What is known of a function by its name.
struct Callee {
  Registers arguments = arguments_of_calls; ///< it may find some there
  bool ends_construct = false;
};

Callee callee_of(Address return_address) {
  const auto function = call_target(return_address);
  Dl_info info{};
  if (!function || dladdr(reinterpret_cast<const void*>(*function), &info) == 0 || info.dli_sname == nullptr) return {};
  const std::string_view name = info.dli_sname;
  const auto is_one_of = [name](std::initializer_list<std::string_view> beginnings) {
    return std::ranges::any_of(beginnings, [name](std::string_view begin) { return name.starts_with(begin); });
  };
  if (is_one_of({"__tsan_read", "__tsan_write", "__tsan_unaligned_", "__tsan_func_"}))
    return {.arguments = first_argument};
  // None that OpenMP's runtime has is a floating-point number.
  if (is_one_of({"__kmpc_", "omp_", "GOMP_"}))
    return {.arguments = arguments_of_calls & ~vector_registers, .ends_construct = name.starts_with("__kmpc_")};
  return {};
}

/// Follows all ways that the code can go on, with the places that hold the value.
class Ways {
public:
  explicit Ways(Branches branches) : branches_(branches) {}
  bool part(Address at) {
    if (!load(at)) return false;
    constexpr std::size_t far_enough = 4000;
    while (!open_.empty() && seen_.size() < far_enough && !(used_ && unused_)) {
      State state = std::move(open_.back());
      open_.pop_back();
      while (seen_.insert(state).second && seen_.size() < far_enough && go_on(state)) {
      }
    }
    return used_ && unused_;
  }

private:
  struct State {
    Address at = 0;
    Registers held = 0;
    Registers loaded = 0;           ///< of these the one of the load
    std::vector<std::int32_t> kept; ///< on the stack, from where rsp was at the load
    std::int32_t stack = 0;         ///< where rsp is now
    Registers data = 0;             ///< hold what was read on the way
    bool compared_data = false, by_data = false, construct_ended = false;
    auto operator<=>(const State&) const = default;
  };

  static std::optional<Instruction> instruction_at(Address at) {
    const auto code = peek<InstructionBytes>(at);
    return code ? decode(*code) : std::nullopt;
  }

  /// The first one behind the call whose address is not the stack's: that would be one of the compiler's own places.
  bool load(Address at) {
    constexpr int near = 8;
    for (int i = 0; i < near; ++i) {
      const auto is = instruction_at(at);
      if (!is || is->does == Does::call || is->does == Does::jump || is->does == Does::branch) return false;
      at += is->length;
      if (!is->reads_memory || is->from_rsp) continue;
      if (is->does != Does::load) return false;
      open_.push_back({.at = at, .held = is->sets, .loaded = is->sets, .kept = {}});
      return true;
    }
    return false;
  }

  /// False: the way ends here.
  bool go_on(State& state) {
    const auto is = instruction_at(state.at);
    if (!is) return false;
    const bool moves_stack = (is->sets & stack_pointer) != 0;
    if (moves_stack && is->stack_change == 0) return false;
    state.at += is->length;
    state.stack += is->stack_change;
    const Address elsewhere = state.at + static_cast<Address>(is->distance);
    switch (is->does) {
    case Does::jump:
      state.at = elsewhere;
      return true;
    case Does::branch:
      state.by_data |= state.compared_data && !state.construct_ended;
      open_.push_back(state);
      open_.back().at = elsewhere;
      return true;
    case Does::jump_to: // nobody knows where
      used_ = true;
      return false;
    case Does::leave:
      return end(state, (is->uses & passed(state)) != 0);
    case Does::call:
      return call(state, *is);
    default:
      return compute(state, *is);
    }
  }

  bool end(const State& state, bool with_use) {
    if (with_use)
      used_ = true;
    else if (branches_ == Branches::any || !state.by_data)
      unused_ = true;
    return false;
  }

  /// Registers that may hold it for somebody else. The one of the load still does if nothing else needed it.
  static Registers passed(const State& state) {
    const bool is_elsewhere = !state.kept.empty() || (state.held & kept_by_calls & ~state.loaded) != 0;
    return is_elsewhere ? state.held & ~state.loaded : state.held;
  }

  bool call(State& state, const Instruction& is) {
    const Callee callee = callee_of(state.at);
    if ((is.uses & state.held) != 0 || (callee.arguments & passed(state)) != 0) return end(state, true);
    state.construct_ended |= callee.ends_construct;
    state.data &= kept_by_calls;
    state.held &= kept_by_calls;
    state.loaded &= state.held;
    return is_lost(state) ? end(state, false) : true;
  }

  /// What is in memory other than the compiler's own is data.
  static void follow_data(State& state, const Instruction& is) {
    const bool is_data = (is.uses & state.data) != 0 || (is.reads_memory && !is.from_rsp);
    state.data = is_data ? state.data | is.sets : state.data & ~is.sets;
    const bool is_address_only = is.addresses != 0 && !is.reads_memory && !is.writes_memory;
    if (is.does == Does::other && !is_address_only) state.compared_data = is_data;
  }

  bool compute(State& state, const Instruction& is) {
    follow_data(state, is);
    const auto place = is.from_rsp ? std::ranges::find(state.kept, state.stack + *is.from_rsp) : state.kept.end();
    const bool takes_kept = is.reads_memory && place != state.kept.end();
    const bool takes_held = (is.uses & state.held) != 0;
    const bool as_value = (is.addresses & state.held) == 0;
    if (takes_kept || takes_held) {
      if (is.does == Does::choice && as_value) end(state, false);
      const bool keeps = is.writes_memory && !is.reads_memory && is.from_rsp;
      const bool moves = is.does == Does::copy || (is.does == Does::load && takes_kept);
      if (!as_value || !(keeps || moves)) return end(state, true);
      state.held |= is.sets;
      state.loaded &= ~is.sets;
      if (keeps) keep(state, state.stack + *is.from_rsp);
      return true;
    }
    state.held &= ~is.sets;
    state.loaded &= ~is.sets;
    if (is.writes_memory && place != state.kept.end()) state.kept.erase(place);
    return is_lost(state) ? end(state, false) : true;
  }

  static void keep(State& state, std::int32_t place) {
    const auto at = std::ranges::lower_bound(state.kept, place);
    if (at == state.kept.end() || *at != place) state.kept.insert(at, place);
  }

  static bool is_lost(const State& state) { return state.held == 0 && state.kept.empty(); }

  const Branches branches_;
  std::vector<State> open_;
  std::set<State> seen_;
  bool used_ = false, unused_ = false;
};

} // namespace

bool is_needed_on_some_ways(Address return_address, Branches branches) { return Ways(branches).part(return_address); }

void tell_unneeded_reads(Finding& finding, Branches branches) {
  if (finding.rule != Rule::data_race) return;
  finding.reads_may_be_made = std::ranges::any_of(finding.accesses, [branches](const AccessDescription& access) {
    return access.type == AccessType::read && access.function.empty() && !access.stack.empty() &&
           is_needed_on_some_ways(access.stack.front() + 1, branches);
  });
}

} // namespace fletcher::tool

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/findings/needed_values.hpp"

#include "lib/tool/findings/chosen_values.hpp"
#include "lib/tool/process/call_target.hpp"
#include "lib/tool/process/instruction.hpp"
#include "lib/tool/process/peek.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fletcher::tool {

namespace {

using Does = Instruction::Does;

/// Where the function that is called there may find arguments, by its name.
Registers arguments_of_call(Address return_address) {
  const auto function = call_target(return_address);
  Dl_info info{};
  if (!function || dladdr(reinterpret_cast<const void*>(*function), &info) == 0 || info.dli_sname == nullptr)
    return arguments_of_calls;
  const std::string_view name = info.dli_sname;
  const auto is_one_of = [name](std::initializer_list<std::string_view> beginnings) {
    return std::ranges::any_of(beginnings, [name](std::string_view begin) { return name.starts_with(begin); });
  };
  if (is_one_of({"__tsan_read", "__tsan_write", "__tsan_unaligned_", "__tsan_func_"})) return first_argument;
  // None that OpenMP's runtime has is a floating-point number.
  if (is_one_of({"__kmpc_", "omp_", "GOMP_"})) return arguments_of_calls & ~vector_registers;
  return arguments_of_calls;
}

/// Follows all ways that the code can go on, with the places that hold the value or what was computed of it alone.
class Ways {
public:
  Need part(Address at) {
    if (!load(at)) return Need::plain;
    constexpr std::size_t far_enough = 4000;
    while (!open_.empty() && seen_.size() < far_enough && !(used_ && unused_ && in_loop_)) {
      State state = take_open();
      while (is_new(state) && seen_.size() < far_enough && go_on(state)) {
      }
    }
    if (!used_ || !unused_) return Need::plain;
    return in_loop_ ? Need::on_some_ways_in_loop : Need::on_some_ways;
  }

private:
  struct State {
    Address at = 0;
    Registers held = 0;
    Registers loaded = 0;           ///< of these the one of the load
    std::vector<std::int32_t> kept; ///< on the stack, from where rsp was at the load
    std::int32_t stack = 0;         ///< where rsp is now
    bool flags = false;             ///< are of the value
    auto operator<=>(const State&) const = default;
  };

  using Seen = std::map<State, bool>; ///< whether it is on the way from the load to here

  /// Who comes to where the way has been already went round a loop with the value.
  bool is_new(const State& state) {
    const auto [at, is_new] = seen_.try_emplace(state, true);
    if (is_new)
      way_.push_back(at);
    else
      in_loop_ |= at->second;
    return is_new;
  }

  void open(State state) { open_.emplace_back(std::move(state), way_.size()); }

  State take_open() {
    auto [state, length] = std::move(open_.back());
    open_.pop_back();
    for (; way_.size() > length; way_.pop_back()) way_.back()->second = false;
    return std::move(state);
  }

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
      open({.at = at, .held = is->sets, .loaded = is->sets, .kept = {}});
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
      if (state.flags) return end(true);
      open(state);
      open_.back().first.at = elsewhere;
      return true;
    case Does::jump_to: // nobody knows where
      used_ = true;
      return false;
    case Does::leave:
      return end((is->uses & passed(state)) != 0);
    case Does::call:
      return call(state, *is);
    default:
      return compute(state, *is);
    }
  }

  bool end(bool with_use) {
    (with_use ? used_ : unused_) = true;
    return false;
  }

  /// Registers that may hold it for somebody else. The one of the load still does if nothing else needed it.
  static Registers passed(const State& state) {
    const bool is_elsewhere = !state.kept.empty() || (state.held & kept_by_calls & ~state.loaded) != 0;
    return is_elsewhere ? state.held & ~state.loaded : state.held;
  }

  bool call(State& state, const Instruction& is) {
    if ((is.uses & state.held) != 0 || (arguments_of_call(state.at) & passed(state)) != 0) return end(true);
    state.held &= kept_by_calls;
    state.loaded &= state.held;
    state.flags = false;
    return goes_on(state);
  }

  bool compute(State& state, const Instruction& is) {
    const auto place = is.from_rsp ? std::ranges::find(state.kept, state.stack + *is.from_rsp) : state.kept.end();
    const bool takes_kept = is.reads_memory && place != state.kept.end();
    const bool takes_flags = is.uses_flags && state.flags;
    if (!takes_kept && !takes_flags && (is.uses & state.held) == 0) return set_other(state, is, place);
    const bool is_stored = is.writes_memory && (is.reads_memory || !is.from_rsp);
    if ((is.addresses & state.held) != 0 || is_stored) return end(true);
    const bool alone = (is.uses & ~is.addresses & ~state.held) == 0 && (!is.reads_memory || takes_kept) &&
                       (!is.uses_flags || takes_flags);
    if (!alone && !takes_flags && (is.does == Does::choice || is.joins_bits)) return may_be_left_out(state, is);
    const bool compares = is.sets == 0 && is.sets_flags;
    const bool pushes = is.sets == 0 && !is.sets_flags && !is.writes_memory;
    if (pushes || (!alone && !compares)) return end(true);
    state.held |= is.sets;
    state.loaded &= ~is.sets;
    if (is.sets_flags) state.flags = true;
    if (is.writes_memory) keep(state, state.stack + *is.from_rsp);
    return true;
  }

  /// Something else is in the places that the instruction sets.
  bool set_other(State& state, const Instruction& is, std::vector<std::int32_t>::iterator place) {
    state.held &= ~is.sets;
    state.loaded &= ~is.sets;
    if (is.sets_flags) state.flags = false;
    if (is.writes_memory && place != state.kept.end()) state.kept.erase(place);
    return goes_on(state);
  }

  /// The value is one of two of which one is enough: a choice, or one side of "and" or "or". There is a way with it,
  /// and one without.
  bool may_be_left_out(State& state, const Instruction& is) {
    used_ = true;
    if (is.does == Does::choice) { // it may also stay, or be taken
      open(state);
      open_.back().first.held |= is.sets;
    }
    return set_other(state, is, state.kept.end());
  }

  static void keep(State& state, std::int32_t place) {
    const auto at = std::ranges::lower_bound(state.kept, place);
    if (at == state.kept.end() || *at != place) state.kept.insert(at, place);
  }

  bool goes_on(const State& state) {
    const bool is_lost = state.held == 0 && state.kept.empty() && !state.flags;
    return is_lost ? end(false) : true;
  }

  std::vector<std::pair<State, std::size_t>> open_; ///< with the length of the way to it
  Seen seen_;
  std::vector<Seen::iterator> way_;
  bool used_ = false, unused_ = false, in_loop_ = false;
};

} // namespace

Need need_of_read(Address return_address) { return Ways().part(return_address); }

namespace {
bool has_read(const Finding& finding, Need least) {
  return finding.rule == Rule::data_race &&
         std::ranges::any_of(finding.accesses, [least](const AccessDescription& access) {
           return access.type == AccessType::read && access.function.empty() && !access.stack.empty() &&
                  need_of_read(access.stack.front() + 1) >= least;
         });
}
} // namespace

bool may_be_read_before_a_loop(const Finding& finding) {
  return has_gccs_sanitizer() && has_read(finding, Need::on_some_ways_in_loop);
}

void tell_unneeded_reads(Finding& finding) {
  if (has_read(finding, Need::on_some_ways)) finding.reads_may_be_made = true;
}

} // namespace fletcher::tool

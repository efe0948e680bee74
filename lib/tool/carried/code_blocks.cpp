// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/carried/code_blocks.hpp"

#include "lib/tool/carried/callee_arguments.hpp"
#include "lib/tool/process/peek.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <set>

namespace fletcher::tool::carried {

namespace {

using Does = Instruction::Does;

/// Where on the stack the two registers point to, from rsp at the function's entry.
struct Stack {
  std::optional<std::int32_t> pointer, frame;
  bool operator==(const Stack&) const = default;
  bool meet(const Stack& other) {
    const Stack before = *this;
    if (pointer != other.pointer) pointer.reset();
    if (frame != other.frame) frame.reset();
    return *this != before;
  }
};

class Reader {
public:
  Reader(FunctionExtent function, const NameOf& name_of, Address nested)
      : function_(function), name_of_(name_of), nested_(nested) {}

  std::vector<Block> read() {
    come_to(function_.begin, {.pointer = 0, .frame = {}});
    constexpr std::size_t too_long = 30000;
    while (!open_.empty() && known_ && found_.size() < too_long) {
      const Address at = open_.back();
      open_.pop_back();
      follow(at);
    }
    if (!known_ || !open_.empty()) return {};
    if (nested_ != 0) mark_nested();
    return known_ ? blocks() : std::vector<Block>{};
  }

private:
  struct Found {
    Line line;
    Stack stack;
    std::vector<Address> to;
  };

  void come_to(Address at, const Stack& stack) {
    const auto [place, is_new] = found_.try_emplace(at);
    if (is_new)
      place->second.stack = stack;
    else if (!place->second.stack.meet(stack))
      return;
    open_.push_back(at);
  }

  /// Of the function itself, which is there, without asking the kernel.
  std::optional<InstructionBytes> bytes_at(Address at) const noexcept {
    InstructionBytes bytes{};
    if (at < function_.begin || at >= function_.end) return peek<InstructionBytes>(at);
    std::memcpy(bytes.data(), reinterpret_cast<const void*>(at), std::min<Address>(bytes.size(), function_.end - at));
    return bytes;
  }

  static std::optional<std::int32_t> plus(std::optional<std::int32_t> place, std::int64_t more) {
    return place ? std::optional(static_cast<std::int32_t>(*place + more)) : std::nullopt;
  }

  void follow(Address at) {
    Found& here = found_[at];
    const auto bytes = bytes_at(at);
    if (!bytes) return fail();
    here.line = {};
    here.line.at = at;
    here.to.clear();
    if ((*bytes)[0] == 0x0f && (*bytes)[1] == 0x0b) return trap(here);
    const auto is = decode(*bytes);
    if (!is) return fail();
    here.line.is = *is;
    find_memory(here);
    const Stack stack = after(here);
    const Address next = here.line.next(), elsewhere = next + static_cast<Address>(std::int64_t{is->distance});
    switch (is->does) {
    case Does::leave:
      return;
    case Does::call:
      name(here.line);
      if (here.line.call != Call::never_returns && !runs_out(at, next)) here.to = {next};
      if (here.line.call == Call::unknown || here.line.call == Call::never_returns) add_landing_pad(here);
      break;
    case Does::jump:
      if (here.stack.pointer == 0)
        name(here.line); // a call at the end
      else
        here.to = {elsewhere};
      break;
    case Does::branch:
      here.to = {next, elsewhere};
      break;
    case Does::jump_to:
      if (here.stack.pointer == 0 && (is->addresses == 0 && is->reads_memory))
        name(here.line);
      else
        here.to = targets_of_table(here.line);
      if (here.to.empty() && here.stack.pointer != 0) return fail();
      break;
    default:
      here.to = {next};
    }
    for (const Address to : here.to) {
      if (to == next && runs_out(at, next)) return fail();
      come_to(to, stack);
    }
  }

  /// Parts that are executed rarely may lie elsewhere.
  bool runs_out(Address at, Address next) const noexcept {
    return at >= function_.begin && at < function_.end && next >= function_.end;
  }

  void add_landing_pad(Found& call) {
    const auto part = function_around(call.line.at);
    if (!part) return;
    auto known = pads_.find(part->begin);
    if (known == pads_.end()) {
      auto pads = landing_pads_around(call.line.at);
      if (!pads) return fail();
      known = pads_.emplace(part->begin, std::move(*pads)).first;
    }
    for (const LandingPad& pad : known->second)
      if (call.line.at >= pad.begin && call.line.at < pad.end) call.to.push_back(pad.pad);
  }

  void fail() { known_ = false; }
  static void trap(Found& here) {
    here.line.is.length = 2;
    here.line.is.does = Does::leave;
    here.line.call = Call::never_returns;
  }

  void name(Line& line) const {
    const Address next = line.next();
    const bool is_slot = line.is.does == Does::jump_to || (line.is.does == Does::call && line.is.reads_memory);
    if (is_slot && line.is.addresses != 0) return;
    const std::int32_t distance = is_slot ? line.is.displacement : line.is.distance;
    if (line.is.does == Does::call && !is_slot && line.is.distance == 0) return; // by a register
    const std::string_view called = name_of_(next + static_cast<Address>(std::int64_t{distance}), is_slot);
    line.call = call_of(called);
    line.has_name = !called.empty();
    if (!line.has_name && !is_slot)
      line.arguments = arguments_read_by(next + static_cast<Address>(std::int64_t{distance}), name_of_);
    if (line.call == Call::accesses) line.bytes = bytes_of_access(called);
    line.bounds = bounds_written_by(called);
  }

  static void find_memory(Found& here) {
    Line& line = here.line;
    const Instruction& is = line.is;
    line.stack = here.stack.pointer;
    if (is.does == Does::call) return;
    if (is.from_rsp) line.frame_base = plus(here.stack.pointer, *is.from_rsp);
    if (is.from_rbp) line.frame_base = plus(here.stack.frame, *is.from_rbp);
    if ((is.reads_memory || is.writes_memory) && line.frame_base) line.frame = line.frame_base;
    const Registers by = is.addresses;
    if (line.frame_base || by == 0) return;
    if ((by & stack_pointer) != 0) line.frame_base = plus(here.stack.pointer, is.displacement);
    if ((by & frame_pointer) != 0 && by != frame_pointer) line.frame_base = plus(here.stack.frame, is.displacement);
  }

  static Stack after(const Found& here) {
    const Instruction& is = here.line.is;
    Stack stack = here.stack;
    if (is.sets == (stack_pointer | frame_pointer)) // leave
      return {.pointer = plus(here.stack.frame, 8), .frame = {}};
    if ((is.sets & frame_pointer) != 0) {
      stack.frame.reset();
      if (is.does == Does::copy && is.uses == stack_pointer) stack.frame = here.stack.pointer;
      if (is.takes_address && here.line.frame_base && !is_indexed(is)) stack.frame = here.line.frame_base;
    }
    if ((is.sets & stack_pointer) != 0) {
      constexpr std::int32_t area_of_its_own = 1 << 16;
      if (is.does == Does::copy && is.uses == frame_pointer)
        stack.pointer = here.stack.frame;
      else if (is.takes_address)
        stack.pointer = is_indexed(is) ? std::nullopt : here.line.frame_base;
      else if (is.stack_change != 0)
        stack.pointer = plus(here.stack.pointer, is.stack_change);
      else if (is.uses == stack_pointer && is.sets_flags) // aligned
        stack.pointer = plus(here.stack.pointer, -area_of_its_own);
      else
        stack.pointer.reset();
    } else if (is.stack_change != 0) {
      stack.pointer = plus(here.stack.pointer, is.stack_change);
    }
    return stack;
  }
  static bool is_indexed(const Instruction& is) noexcept { return !is.from_rsp && !is.from_rbp; }

  /// Of `jmp *table(,%reg,8)`; and of a jump by a table of distances, the address of which an instruction before
  /// computes.
  std::vector<Address> targets_of_table(const Line& line) const {
    constexpr std::size_t most = 2048;
    std::vector<Address> targets;
    const auto add = [&](Address target) {
      const bool inside = target >= function_.begin && target < function_.end;
      if (inside && std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
      return inside;
    };
    if (line.is.reads_memory) {
      Address at = static_cast<Address>(std::int64_t{line.is.displacement});
      for (std::size_t i = 0; i < most; ++i, at += sizeof(Address))
        if (const auto target = peek<Address>(at); !target || !add(*target)) break;
      return targets;
    }
    for (const auto& [at, found] : found_) {
      const Instruction& is = found.line.is;
      if (!is.takes_address || is.addresses != 0) continue;
      const Address table = found.line.next() + static_cast<Address>(std::int64_t{is.displacement});
      for (std::size_t entry = 0; entry < most; ++entry) {
        const auto distance = peek<std::int32_t>(table + entry * sizeof(std::int32_t));
        if (!distance || !add(table + static_cast<Address>(std::int64_t{*distance}))) break;
      }
    }
    return targets;
  }

  /// Units of work may begin in any function that has no name: one of the program's own. And in those of other modules,
  /// where the known one is there.
  void mark_nested() {
    const auto call = std::ranges::find_if(found_, [this](const auto& at) {
      return at.second.line.is.does == Does::call && at.second.line.next() == nested_;
    });
    if (call == found_.end()) return fail();
    const bool known_has_name = call->second.line.has_name;
    for (auto& [at, found] : found_) {
      Line& line = found.line;
      if (line.is.does == Does::call && line.call == Call::unknown && (!line.has_name || known_has_name))
        line.call = Call::nested;
    }
  }

  static bool ends_block(const Found& found) {
    return found.to.size() != 1 || found.to.front() != found.line.next() || begins_unit(found.line.call);
  }

  std::vector<Block> blocks() const {
    std::set<Address> leaders{function_.begin};
    for (const auto& [at, found] : found_)
      if (ends_block(found)) leaders.insert(found.to.begin(), found.to.end());
    std::map<Address, std::size_t> number{{function_.begin, 0}};
    for (const Address leader : leaders) number.try_emplace(leader, number.size());
    std::vector<Block> blocks(number.size());
    for (const auto& [leader, of] : number) {
      auto at = found_.find(leader);
      for (;; ++at) {
        blocks[of].lines.push_back(at->second.line);
        const bool goes_on = !ends_block(at->second) && !number.contains(at->second.to.front());
        if (!goes_on) break;
      }
      for (const Address to : at->second.to) {
        const std::size_t successor = number.at(to);
        if (std::ranges::find(blocks[of].to, successor) != blocks[of].to.end()) continue;
        blocks[of].to.push_back(successor);
        blocks[successor].from.push_back(of);
      }
    }
    return blocks;
  }

  const FunctionExtent function_;
  const NameOf& name_of_;
  const Address nested_;
  std::map<Address, Found> found_;
  std::map<Address, std::vector<LandingPad>> pads_; ///< of the function's parts, by their begins
  std::vector<Address> open_;
  bool known_ = true;
};

} // namespace

std::vector<Block> blocks_of(FunctionExtent function, const NameOf& name_of, Address nested) {
  return Reader(function, name_of, nested).read();
}

} // namespace fletcher::tool::carried

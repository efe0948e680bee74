// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/carried/values.hpp"

#include "lib/tool/carried/definitions.hpp"
#include "lib/tool/carried/stack_places.hpp"

#include <tuple>
#include <utility>

namespace fletcher::tool::carried {

using Does = Instruction::Does;
using Is = Value::Is;
using As = Use::As;

/// Reads the code once.
class ValuesOfCode : Definitions {
public:
  ValuesOfCode(const std::vector<Block>& blocks, const StackUse& use, Values& values)
      : Definitions(blocks, values), use_(use), places_(blocks, use) {
    for (block_ = 0; block_ < blocks.size(); ++block_)
      for (line_ = 0; line_ < blocks[block_].lines.size(); ++line_) execute(blocks[block_].lines[line_]);
    join();
  }

  /// What the values say of the stack: with that the code may be read once more.
  StackUse stack_use() const {
    StackUse use;
    const auto base = [this](ValueId id) { return values_.base_[values_.find(id)]; };
    const auto constant = [this](ValueId id) { return values_[values_.young(id)].frame; };
    for (const auto& [id, bytes] : accessed_) {
      if (const auto at = constant(id))
        use.shown.insert({*at, *at + std::max<std::int32_t>(bytes, 1)});
      else if (values_.on_stack(id) && base(id))
        use.shown_bases.insert(*base(id));
    }
    for (const ValueId id : written_by_units_)
      if (const auto at = constant(id)) use.shown.insert({*at, *at + 8});
    for (const auto& [at, id] : values_.given_)
      if (const auto address = constant(id)) use.given[at] = *address;
    for (const auto& [line, id, bytes] : bounds_)
      if (const auto at = constant(id)) use.bounds[line].emplace(*at, *at + bytes);
    for (const auto& [at, ids] : accesses_)
      for (const ValueId id : ids)
        if (values_.on_stack(id) && base(id) && !use.shown_bases.contains(*base(id))) use.indexed[at] = *base(id);
    return use;
  }

private:
  void use(As as, std::vector<ValueId> values) {
    if (!values.empty()) values_.uses_.push_back({as, block_, line_, std::move(values), {}, false});
  }
  /// Where nothing is named it is on the stack.
  void use_in_memory(ValueId value, std::vector<ValueId> address) {
    const bool on_stack = address.empty();
    values_.uses_.push_back({As::stored, block_, line_, {value}, std::move(address), on_stack});
  }

  void execute(const Line& line) {
    switch (line.is.does) {
    case Does::call:
      return call(line);
    case Does::jump:
      if (blocks_[block_].to.empty()) call(line);
      return;
    case Does::branch:
      return use(As::decision, {get(flags)});
    case Does::jump_to: {
      if (blocks_[block_].to.empty()) return call(line);
      return use(As::decision, get_all(line.is.uses));
    }
    case Does::leave:
      return;
    default:
      return compute(line);
    }
  }

  // What a call leaves in registers that it need not keep, nobody reads.
  void call(const Line& line) {
    constexpr Registers by_registers = arguments_of_calls & ~vector_registers;
    switch (line.call) {
    case Call::accesses: {
      const ValueId address = get_all(first_argument).front();
      accessed_.emplace_back(address, line.bytes);
      use(As::address, {address});
      break;
    }
    case Call::begin:
    case Call::next:
    case Call::next_section:
      if (line.bounds.bytes != 0) {
        write_bounds(line, by_registers);
        break;
      }
      for (const ValueId id : get_all(by_registers)) written_by_units_.push_back(id);
      if (line.stack) // and what is passed on the stack
        for (auto [i, end] = places_.in(*line.stack, *line.stack + 16); i < end; ++i)
          written_by_units_.push_back(get(first_on_stack + i));
      break;
    case Call::task:
      use(As::argument, {read_by({})});
      break;
    case Call::transfers:
      transfer(line);
      break;
    case Call::nested:
    case Call::unknown:
      pass_arguments(line);
      break;
    default:;
    }
    if (line.is.uses != 0 && line.is.does != Does::leave) use(As::address, get_all(line.is.uses));
    set_all(~kept_by_calls, undefined_);
    set(flags, undefined_);
    const bool begins = begins_unit(line.call) || line.call == Call::next_section;
    const bool tells_nothing = line.call == Call::cancels || line.call == Call::atomic_begin;
    const ValueId result = add(begins ? Is::unit : tells_nothing ? Is::constant : Is::read, block_);
    set_all(results, result);
  }

  /// Nothing else writes there but the function itself.
  void write_bounds(const Line& line, Registers given) {
    const auto add_bound = [&](ValueId id, std::int32_t bytes) { bounds_.emplace_back(line.at, id, bytes); };
    for (const ValueId id : get_all(line.bounds.flag)) add_bound(id, 4);
    for (const ValueId id : get_all(given & ~line.bounds.flag)) add_bound(id, line.bounds.bytes);
    if (line.bounds.on_stack && line.stack)
      for (auto [i, end] = places_.in(*line.stack, *line.stack + 8); i < end; ++i)
        add_bound(get(first_on_stack + i), line.bounds.bytes);
    const auto written = use_.bounds.find(line.at);
    if (written == use_.bounds.end()) return;
    const ValueId unit = this->add(Is::unit, block_);
    for (const auto& [begin, end] : written->second)
      for (auto [i, last] = places_.in(begin, end); i < last; ++i) {
        set(first_on_stack + i, unit);
        bounds_of_[block_].insert(first_on_stack + i);
      }
  }

  /// Nobody else loads what is passed on the stack, or is in a structure whose address is passed.
  std::vector<ValueId> passed_by(const Line& line) {
    std::vector<ValueId> passed = get_all(line.arguments);
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (!places_[i].loaded && !places_[i].bounds && (!line.stack || places_[i].at >= *line.stack))
        passed.push_back(get(first_on_stack + i));
    values_.given_[line.at] = get_all(first_argument).front();
    return passed;
  }

  // gfortran makes a block for each statement (st_parameter_dt), whose address is the first argument. What the library
  // leaves there is for itself.
  void transfer(const Line& line) {
    constexpr std::int32_t size_of_block = 480; // at least
    if (const auto block = use_.given.find(line.at); block != use_.given.end())
      for (auto [i, end] = places_.in(block->second, block->second + size_of_block); i < end; ++i)
        set(first_on_stack + i, undefined_);
    for (const ValueId id : passed_by(line)) use_in_memory(id, {});
  }

  void pass_arguments(const Line& line) {
    use(As::argument, passed_by(line));
    const auto given = use_.given.find(line.at);
    if (given == use_.given.end()) return;
    // It may be where the function is to put the structure that it returns. How large that is the code does not say.
    constexpr std::int32_t large = 64;
    const ValueId returned = read_by({});
    for (auto [i, end] = places_.in(given->second, given->second + large); i < end; ++i)
      set(first_on_stack + i, computed({get(first_on_stack + i), returned}, Is::indexed));
  }

  /// Which registers of an access are no constant part of an address on the stack.
  std::vector<ValueId> address(const Line& line) {
    Registers by = line.is.addresses;
    std::vector<ValueId> of;
    if (line.frame_base) {
      of.push_back(frame(*line.frame_base));
      if (line.is.from_rsp || (by & stack_pointer) != 0)
        by &= ~stack_pointer;
      else
        by &= ~frame_pointer;
    }
    const std::vector<ValueId> others = get_all(by);
    of.insert(of.end(), others.begin(), others.end());
    return of;
  }

  ValueId load(const Line& line) {
    const Instruction& is = line.is;
    if (line.frame && is.width != 0) return load_places(*line.frame, is.width);
    std::vector<ValueId> of = address(line);
    if (const auto base = use_.indexed.find(line.at); base != use_.indexed.end()) {
      of.push_back(get(indexed));
      for (const std::size_t i : near(base->second)) of.push_back(get(first_on_stack + i));
      return computed(std::move(of), Is::indexed);
    }
    use(As::address, of);
    return read_by(std::move(of));
  }

  ValueId load_places(std::int32_t at, std::int32_t bytes) {
    const auto [first, end] = places_.in(at, at + bytes);
    std::vector<ValueId> of;
    for (std::size_t i = first; i < end; ++i) {
      if (places_[i].shown) {
        const ValueId read = read_by({});
        all()[read].from_stack = true;
        return read;
      }
      of.push_back(get(first_on_stack + i));
    }
    if (of.size() == 1) return of.front();
    if (const auto whole = whole_of(of)) return *whole;
    return computed(std::move(of));
  }

  /// What an index from there on may lead to: the code does not say how large an array is, nor where its index begins.
  std::vector<std::size_t> near(std::int32_t base) const {
    constexpr std::int32_t before = 16, behind = 128;
    std::vector<std::size_t> all;
    for (auto [i, end] = places_.in(base - before, base + behind); i < end; ++i)
      if (!places_[i].shown) all.push_back(i);
    return all;
  }

  void store(const Line& line, ValueId value) {
    const Instruction& is = line.is;
    if (line.frame && is.width != 0) return store_places(*line.frame, is.width, value);
    std::vector<ValueId> of = address(line);
    if (const auto base = use_.indexed.find(line.at); base != use_.indexed.end()) {
      of.push_back(value);
      const ValueId stored = computed(std::move(of), Is::indexed);
      set(indexed, computed({get(indexed), stored}, Is::indexed));
      for (const std::size_t i : near(base->second))
        set(first_on_stack + i, computed({get(first_on_stack + i), stored}, Is::indexed));
      return;
    }
    use(As::address, of);
    if (of.empty()) of.push_back(number(line.next() + static_cast<Address>(std::int64_t{is.displacement})));
    use_in_memory(value, std::move(of));
  }

  void store_places(std::int32_t at, std::int32_t bytes, ValueId value) {
    const auto [first, end] = places_.in(at, at + bytes);
    for (std::size_t i = first; i < end; ++i) {
      if (places_[i].shown) use_in_memory(value, {});
      set(first_on_stack + i, end - first == 1 ? value : part(value, i - first));
    }
  }

  void compute(const Line& line) {
    const Instruction& is = line.is;
    if (is.addresses != 0 && !is.takes_address) accesses_.emplace_back(line.at, address(line));
    const bool moves_stack = (is.sets & stack_pointer) == 0 && line.stack;
    if (is.stack_change == 8 && moves_stack) return set_all(is.sets, load_places(*line.stack, 8));
    if (is.stack_change == -8 && moves_stack) {
      const std::vector<ValueId> pushed = get_all(is.uses & ~is.addresses);
      const ValueId value = is.reads_memory ? load(line) : pushed.empty() ? number(0) : pushed.front();
      return store_places(*line.stack - 8, 8, value);
    }
    const ValueId value = value_of(line);
    set_all(is.sets, value);
    if (is.sets_flags) set(flags, value);
    if (is.writes_memory) store(line, value);
  }

  ValueId value_of(const Line& line) {
    const Instruction& is = line.is;
    if (is.takes_address) {
      if (is.addresses == 0) return number(line.next() + static_cast<Address>(std::int64_t{is.displacement}));
      std::vector<ValueId> of = address(line);
      return of.size() == 1 && values_[of.front()].frame && line.frame_base == values_[of.front()].frame
                 ? of.front()
                 : computed(std::move(of));
    }
    if (is.does == Does::constant) return number(static_cast<std::uint64_t>(is.constant));
    std::vector<ValueId> of;
    for (const ValueId id : get_registers(line, is.uses & ~is.addresses)) of.push_back(id);
    if (is.keeps_rest)
      for (const ValueId id : get_all(is.sets)) of.push_back(id);
    if (is.uses_flags) of.push_back(get(flags));
    if (is.reads_memory) of.push_back(load(line));
    if (of.empty() && (line.frame || is.addresses == 0)) return number(static_cast<std::uint64_t>(is.constant));
    if (of.empty()) of = address(line); // a constant, or the address itself
    const bool copies = is.does == Does::copy || is.does == Does::load ||
                        (is.writes_memory && !is.reads_memory && !is.sets_flags && !is.uses_flags);
    return copies && of.size() == 1 ? of.front() : computed(std::move(of));
  }

  std::vector<ValueId> get_registers(const Line& line, Registers registers) {
    std::vector<ValueId> all = get_all(registers & ~stack_pointer);
    if ((registers & stack_pointer) != 0 && line.stack) all.push_back(frame(*line.stack));
    return all;
  }

  const StackUse& use_;
  const StackPlaces places_;
  std::vector<std::pair<ValueId, std::uint8_t>> accessed_;
  std::vector<ValueId> written_by_units_;
  std::vector<std::tuple<Address, ValueId, std::int32_t>> bounds_; ///< calls, with addresses and how many bytes
  std::vector<std::pair<Address, std::vector<ValueId>>> accesses_;
  std::size_t line_ = 0;
};

Values::Values(const std::vector<Block>& blocks) {
  constexpr int most = 4; // mostly two
  StackUse known;
  for (int i = 0; i < most; ++i) {
    *this = Values{};
    const ValuesOfCode code(blocks, known, *this);
    StackUse use = code.stack_use();
    if (use == known) break;
    known = std::move(use);
  }
}

std::optional<Address> Values::first_argument_of(Address call) const noexcept {
  const auto at = given_.find(call);
  return at == given_.end() ? std::nullopt : values_[find(at->second)].number;
}

ValueId Values::find(ValueId id) const noexcept {
  while (equal_[id] != id) id = equal_[id];
  return id;
}

ValueId Values::young(ValueId id) const noexcept {
  for (id = find(id); values_[id].is == Is::aged; id = find(values_[id].of.front())) {
  }
  return id;
}

} // namespace fletcher::tool::carried

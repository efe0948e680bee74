// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a task keeps of its depend clauses: the items, and the siblings that it has to wait for. A chain of a million
// tasks keeps a million of these, so they are packed, without a header, into slots of a few sizes. Relies on
// memory/arena.hpp.
#pragma once

#include "checker/memory/pool.hpp"
#include "checker/order/packed_dependence.hpp"

#include <span>

namespace fletcher::constructs {

struct Task;

/// One task's: 8 bytes for each item, 4 for each predecessor. In the same arena as the tasks.
class DependList {
public:
  bool empty() const noexcept { return slot_ == 0; }
  /// A range of Dependence.
  auto items() const noexcept { return order::unpacked(packed()); }
  std::span<const order::PackedDependence> packed() const noexcept {
    if (slot_ == 0) return {};
    const bool fits = items_ != is_long;
    return {reinterpret_cast<const order::PackedDependence*>(fits ? slot() : long_list().block),
            fits ? items_ : long_list().items};
  }
  /// Some item is a mutexinoutset.
  bool excludes() const noexcept { return excludes_; }
  /// Which of its creator's units of work it was created in (Rare::unit_number).
  std::uint8_t unit() const noexcept { return unit_; }
  /// A range of Task*, from the first created on.
  auto predecessors() const noexcept {
    return offsets() |
           std::views::transform([this](std::uint32_t at) { return &memory::Arena::object<Task>(this, at); });
  }

private:
  friend class DependLists;
  /// Where the counts do not fit.
  struct Long {
    std::uint32_t items, predecessors;
    std::byte* block;
  };
  static constexpr std::uint8_t is_long = 255;

  const std::byte* slot() const noexcept { return &memory::Arena::object<const std::byte>(this, slot_); }
  const Long& long_list() const noexcept { return *reinterpret_cast<const Long*>(slot()); }
  std::span<const std::uint32_t> offsets() const noexcept {
    const std::span<const order::PackedDependence> before = packed();
    return {reinterpret_cast<const std::uint32_t*>(before.data() + before.size()),
            slot_ == 0 || items_ != is_long ? predecessors_ : long_list().predecessors};
  }

  std::uint32_t slot_ = 0;
  std::uint8_t items_ = 0, predecessors_ = 0;
  bool excludes_ = false;
  std::uint8_t unit_ = 0;
};
static_assert(sizeof(DependList) == 8);

/// Makes and frees lists. O(list).
class DependLists {
  template <std::size_t size> using Slots = memory::Pool<size>;

public:
  static constexpr std::size_t bytes_for_each = 16 + 24 + 40 + 64; ///< address space for each list alive at once
  /// `capacity`: lists alive at once, of each size.
  DependLists(memory::Arena& arena, std::size_t capacity) noexcept
      : tiny_(arena.part(16 * capacity)), small_(arena.part(24 * capacity)), medium_(arena.part(40 * capacity)),
        large_(arena.part(64 * capacity)) {}
  bool ok() const noexcept { return tiny_.ok() && small_.ok() && medium_.ok() && large_.ok(); }

  /// Belongs to one thread.
  struct Magazines {
    Slots<16>::Magazines tiny;
    Slots<24>::Magazines small;
    Slots<40>::Magazines medium;
    Slots<64>::Magazines large;
  };

  /// `list` is empty; it stays so where no slot is free.
  void make(Magazines& from, DependList& list, std::span<const Dependence> items, std::span<Task* const> predecessors,
            std::uint8_t unit = 0) {
    if (items.empty()) return;
    const std::size_t bytes = bytes_of(items.size(), predecessors.size());
    const bool fits = bytes <= 64;
    void* const slot = with_slots(fits ? bytes : sizeof(DependList::Long), from,
                                  [](auto& slots, auto& magazines) { return slots.take(magazines); });
    if (slot == nullptr) return;
    auto* block = static_cast<std::byte*>(slot);
    if (!fits) {
      block = static_cast<std::byte*>(::operator new(bytes));
      std::construct_at(static_cast<DependList::Long*>(slot),
                        DependList::Long{static_cast<std::uint32_t>(items.size()),
                                         static_cast<std::uint32_t>(predecessors.size()), block});
    }
    list.slot_ = memory::Arena::offset_of(slot);
    list.unit_ = unit;
    list.items_ = fits ? static_cast<std::uint8_t>(items.size()) : DependList::is_long;
    list.predecessors_ = fits ? static_cast<std::uint8_t>(predecessors.size()) : 0;
    auto* item = reinterpret_cast<order::PackedDependence*>(block);
    for (const Dependence& d : items) {
      std::construct_at(item++, d);
      list.excludes_ |= d.type == DependenceType::mutexinoutset;
    }
    auto* offset = reinterpret_cast<std::uint32_t*>(item);
    for (const Task* p : predecessors) std::construct_at(offset++, memory::Arena::offset_of(p));
  }

  void free(Magazines& to, DependList& list) noexcept {
    if (list.empty()) return;
    const bool fits = list.items_ != DependList::is_long;
    if (!fits) ::operator delete(list.long_list().block);
    void* const slot = const_cast<std::byte*>(list.slot());
    with_slots(fits ? bytes_of(list.items_, list.predecessors_) : sizeof(DependList::Long), to,
               [&](auto& slots, auto& magazines) { return slots.give(magazines, slot), nullptr; });
    list = {};
  }

  /// Pool::trim for those sizes that have used `worth_it` bytes; `each(f)` calls `f(magazines)` for every thread's.
  template <class Each> void trim(std::size_t worth_it, Each each) noexcept {
    const auto all = [&](auto& slots, auto which) {
      if (slots.footprint() < worth_it) return;
      std::size_t free_slots = 0;
      each([&](const Magazines& m) { free_slots += slots.free_slots(m.*which); });
      slots.trim(free_slots);
    };
    all(tiny_, &Magazines::tiny);
    all(small_, &Magazines::small);
    all(medium_, &Magazines::medium);
    all(large_, &Magazines::large);
  }

  /// Pool::in_memory of all sizes.
  std::size_t in_memory() const noexcept {
    return tiny_.in_memory() + small_.in_memory() + medium_.in_memory() + large_.in_memory();
  }

private:
  static constexpr std::size_t bytes_of(std::size_t items, std::size_t predecessors) noexcept {
    return sizeof(order::PackedDependence) * items + sizeof(std::uint32_t) * predecessors;
  }
  template <class F> void* with_slots(std::size_t bytes, Magazines& m, F f) {
    if (bytes <= 16) return f(tiny_, m.tiny);
    if (bytes <= 24) return f(small_, m.small);
    if (bytes <= 40) return f(medium_, m.medium);
    return f(large_, m.large);
  }

  Slots<16> tiny_;
  Slots<24> small_;
  Slots<40> medium_;
  Slots<64> large_;
};

} // namespace fletcher::constructs

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// non-sibling-dependence: conflicting depend clauses on one list item by tasks of different parents, or by a taskwait
// and a task that is no child of the waiting one, that nothing orders. Needs no accesses. Tasks that one member of a
// team created in two units of work are children of two members wherever two threads execute the units.
#pragma once

#include "checker/constructs/execution.hpp"
#include "checker/rules/reporter.hpp"

#include <array>
#include <map>
#include <span>
#include <vector>

namespace fletcher::rules {

/// Thread-safe. Each depend item costs one look-up, O(log items).
class NonSiblingDependence {
public:
  /// `heap_is_told`: the end of every heap block is an event. Without it two tasks that name an address which is
  /// neither on a stack nor permanent may mean two blocks, one after the other, unless they are alive together.
  /// `items`: the frames of list items. `memory`: null where all but stacks is there for a whole team.
  NonSiblingDependence(constructs::Execution& execution, const constructs::StackVariables& items, Reporter& reporter,
                       bool heap_is_told, const access::MemoryMap* memory)
      : execution_(execution), items_(items), reporter_(reporter), heap_is_told_(heap_is_told), memory_(memory) {}

  /// `made` was given its depend clauses.
  void declared(const constructs::Task& made);
  /// `task` starts on its thread, after its predecessors.
  void started(access::ThreadState& thread, constructs::Task& task);
  /// A task with depend clauses is complete, or will never start.
  void ended(const constructs::Task& task);
  /// The running task has waited for those of its children that `list` matches.
  void waited(access::ThreadState& thread, constructs::Task& waiter, std::span<const Dependence> list, ContextId place);
  /// Memory begins or ends its life.
  void forget(Address address, std::size_t size);
  /// Which strands of the past it may ask about.
  void name_past(order::Sweep& sweep);

private:
  struct Declaration {
    StrandId strand;
    TaskId task, parent;
    std::uint8_t unit; ///< of its parent's work, that it was created in; 0 for none
    TaskId owner;      ///< of the frame that holds the item; none where it is no stack variable of theirs
    DependenceType type;
    bool permanent;
    std::uint32_t life; ///< of the block, see Named
    bool wait;          ///< a taskwait of `task`, for what its children declare
    ContextId place;
  };
  struct Named {
    std::vector<Declaration> declarations;
    /// Where no block's end is reported: as long as an unfinished task names the address, it is one block's; `life`
    /// counts these times.
    std::uint32_t unfinished = 0, life = 0;
  };
  struct Shard {
    memory::SpinLock lock;
    std::map<Address, Named> named;
    std::uint32_t generation = 0;

    void renew(std::uint32_t now) {
      if (generation != now) named.clear(); // everything older comes before everything to come
      generation = now;
    }
  };
  Shard& shard(Address address) noexcept { return shards_[(address / page) % shards_.size()]; }
  TaskId owner_of(const constructs::Task& creator, Address address) const;
  bool descends(StrandId strand, TaskId from) const;
  /// Siblings in this run that are none where two threads execute the units of work.
  static bool in_two_units(const Declaration& a, const Declaration& b) noexcept {
    return a.parent == b.parent && a.unit != b.unit && a.unit != 0 && b.unit != 0;
  }
  bool conflicting(const Declaration& known, const Declaration& mine) const;
  static bool ordered_by_clauses(const Declaration& known, const Declaration& mine) noexcept;
  std::vector<Declaration> conflicts_of(Declaration mine, Address address, const constructs::Task& now);
  void report(const Declaration& earlier, const Declaration& later, Address address);

  static constexpr Address page = 4096;
  constructs::Execution& execution_;
  const constructs::StackVariables& items_;
  Reporter& reporter_;
  bool heap_is_told_;
  const access::MemoryMap* memory_;
  std::array<Shard, 64> shards_;
  std::atomic<bool> used_{false};
};

} // namespace fletcher::rules

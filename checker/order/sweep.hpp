// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out which strands, chains and task records somebody may still ask about, so that the ids of all others are
// given out again while a region goes on (docs/design/memory.md). All that keep ids of the past are asked for them
// twice, in the same way: first all that is needed is marked; then what is not is forgotten, where it is only named
// beside other things. Relies on strands.hpp, knowledge.hpp.
#pragma once

#include "checker/order/knowledge.hpp"
#include "checker/order/strands.hpp"

namespace fletcher::order {

/// Only while no thread tells an event. Threads may access memory meanwhile.
class Sweep {
public:
  Sweep(StrandTables& tables, std::uint32_t number) : tables_(tables), number_(number) { tables_.begin_sweep(); }
  ~Sweep() { tables_.open_sweep(); }
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  /// All has been named once; what comes is the second time. See RecycledIds::end. False: there is nothing to forget.
  bool forget_the_rest(bool certain) {
    forgets_ = true;
    return tables_.end_sweep(certain);
  }

  /// It is the second time.
  bool forgets() const noexcept { return forgets_; }

  void needs(StrandId strand) noexcept {
    if (!forgets_) tables_.need(strand);
  }
  void needs(ChainId chain) noexcept {
    if (!forgets_) tables_.need(chain);
  }
  void needs(RecordId record) noexcept {
    if (!forgets_) tables_.need(record);
  }
  /// All ids in between: they are compared with.
  void needs(StrandId first, StrandId end) noexcept {
    if (!forgets_) tables_.need(first, end);
  }
  void needs(const StrandTables::Ranges& own) noexcept {
    if (!forgets_) tables_.need(own);
  }
  /// What it knows of chains that nobody needs is worth nothing. Its last entry says which strand published it.
  void knows(Knowledge& known) noexcept {
    forgets_ ? known.forget(tables_.chain_ids(), number_) : tables_.need(known.latest_chain());
  }
  void knows(Observed& told) noexcept {
    if (forgets_) told.forget(tables_.chain_ids(), number_);
  }
  /// Chains that will be waited for, if anybody asks about them until then.
  void waits_for(ChainList& list) noexcept {
    if (forgets_) tables_.drop_free(list);
  }
  void waits_for(ChainId& first) noexcept {
    if (!forgets_ || first == ChainId::none) return;
    ChainList list = tables_.whole(first);
    tables_.drop_free(list);
    first = list.first;
  }

private:
  StrandTables& tables_;
  std::uint32_t number_;
  bool forgets_ = false;
};

} // namespace fletcher::order

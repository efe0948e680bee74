// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/describe.hpp"

#include "checker/constructs/strand.hpp"

#include <algorithm>

namespace fletcher::rules {

namespace {
AccessType type_of(access::Kind kind) {
  switch (kind) {
  case access::Kind::atomic_read:
    return AccessType::atomic_read;
  case access::Kind::atomic_write:
    return AccessType::atomic_write;
  case access::Kind::read:
    return AccessType::read;
  case access::Kind::write:
    break;
  }
  return AccessType::write;
}

/// LLVM's runtime has one inside the initial task of each team of a league, of no construct of the program's.
bool is_doubled(const order::StrandTables& tables, const order::TaskRecord& r) {
  return r.kind == TaskKind::implicit && r.parent != order::RecordId::none && tables.task(r.parent).of_league;
}

std::vector<order::RecordId> ancestors(const order::StrandTables& tables, order::RecordId record) {
  std::vector<order::RecordId> all;
  for (; record != order::RecordId::none; record = tables.task(record).parent) all.push_back(record);
  return all;
}

/// The index in `all` of the innermost task that is `other` or an ancestor of it. An untied task has several records.
std::size_t first_shared(const order::StrandTables& tables, const std::vector<order::RecordId>& all,
                         order::RecordId other) {
  const std::vector<order::RecordId> others = ancestors(tables, other);
  std::size_t shared = 0;
  while (shared < std::min(all.size(), others.size()) &&
         tables.task(all[all.size() - 1 - shared]).id == tables.task(others[others.size() - 1 - shared]).id)
    ++shared;
  return all.size() - shared;
}
} // namespace

std::vector<TaskDescription> lineage(constructs::Execution& execution, order::RecordId record, order::RecordId other) {
  const order::StrandTables& tables = execution.tables();
  const std::vector<order::RecordId> all = ancestors(tables, record);
  const std::size_t meeting = other == order::RecordId::none ? all.size() : first_shared(tables, all, other);
  std::vector<TaskDescription> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const order::TaskRecord& r = tables.task(all[i]);
    if (!is_near_an_end(i, all.size()) && i != meeting && i + 1 != meeting) {
      ++result.back().skipped;
      continue;
    }
    if (is_doubled(tables, r) && execution.calls().stack(r.creation).empty()) continue;
    result.push_back({.id = r.id,
                      .kind = r.kind,
                      .of_league = r.of_league,
                      .thread_number = tables.details_of(all[i]).index,
                      .thread = ThreadId{r.thread},
                      .creation = execution.calls().stack(r.creation),
                      .skipped = 0,
                      .call = {}});
  }
  return result;
}

ObjectDescription describe_stack(constructs::Execution& execution, Address address) {
  ObjectDescription object;
  const access::ThreadState* owner = execution.owner_of_stack(address);
  if (owner == nullptr) return object;
  object.kind = ObjectKind::stack;
  object.thread = owner->id;
  // Frames grow downwards: the owning one is the outermost whose stack pointer is not above the address. Another
  // thread's stack may change while it is read; its frames around a variable in use do not.
  for (const access::Frame* f = owner->stack.begin(); f != owner->stack.top(); ++f)
    if (f->stack_pointer != 0 && f->stack_pointer <= address) {
      object.frame_pointer = f->frame_pointer;
      object.stack_pointer = f->stack_pointer;
      object.origin.push_back(f->body);
      break;
    }
  return object;
}

AccessDescription describe(constructs::Execution& execution, StrandId strand, order::RecordId task, ContextId site,
                           access::Kind kind, access::Bytes bytes, order::RecordId other) {
  const order::StrandBlock& block = execution.tables().block_of(strand);
  const auto declared = execution.tables().dependences_of(task);
  const bool frees = execution.calls().is_ending(site);
  AccessDescription a{.type = frees ? AccessType::free : type_of(kind),
                      .address = bytes.begin,
                      .size = frees ? 0 : static_cast<std::uint32_t>(bytes.size()),
                      .stack = execution.calls().stack(site),
                      .tasks = lineage(execution, task, other),
                      .locks = {},
                      .declared = {declared.begin(), declared.end()}};
  for (const access::Held& h : execution.locksets().members(block.held_by(strand)))
    if (h.exclusion.kind == access::Exclusion::Kind::mutex)
      a.locks.push_back({h.exclusion.mutex, execution.calls().stack(h.acquired)});
  return a;
}

AccessDescription describe(constructs::Execution& execution, access::ThreadState& thread, ContextId site,
                           access::Kind kind, access::Bytes bytes) {
  return describe(execution, thread.strand(), constructs::record_of(thread, *thread.task), site, kind, bytes);
}

} // namespace fletcher::rules

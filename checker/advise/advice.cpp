// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/advise/advice.hpp"

#include "checker/advise/conflicts.hpp"
#include "checker/advise/frames.hpp"
#include "checker/advise/tasks.hpp"

#include <algorithm>

namespace fletcher::advise {

namespace {

using graph::Record;
using graph::RecordKind;

constexpr std::size_t most_vertices = 30'000, most_constructs = 200;

/// What is known of a construct that may be left out.
struct Candidate {
  bool implied = false; ///< a barrier: of a worksharing construct
  bool excluded = false;
  bool used = false;    ///< a depend item: by a task or one that it made
  bool matters = false; ///< a depend item: tasks that name it conflict there
  Address object = 0;
  DependenceType type = DependenceType::in;
};
using Candidates = std::map<Construct, Candidate>;

class Adviser {
public:
  explicit Adviser(const Run& run) : run_(run), order_(run, nothing_), tasks_(run, order_) {}

  Advices advise() {
    if (boost::num_vertices(order_.graph()) > most_vertices)
      return {{},
              "the run is too long: " + std::to_string(boost::num_vertices(order_.graph())) + " strands, of " +
                  std::to_string(most_vertices) + " at most"};
    for (const Access& access : run_.accesses)
      if (order_.strand(access.segment) == Replay::nowhere) return {{}, "accesses were made outside of all tasks"};
    const Conflicts conflicts(run_, order_);
    if (conflicts.incomplete()) return {{}, "the run has too many accesses"};
    exclusions(conflicts);
    order(conflicts);
    return std::move(out_);
  }

private:
  struct Place {
    std::set<SegmentId> segments;
    std::set<Address> objects;
    Mutex mutex;
    bool excluded = false;
  };

  void exclusions(const Conflicts& conflicts) {
    std::map<Address, Place> locks, atomics;
    const auto note = [&](Place& place, const Access& access) {
      const bool is_known = tasks_.is_known(order_.task(access.segment));
      if (!is_known || run_.segments[access.segment].by_chance) place.excluded = true;
      place.segments.insert(access.segment);
    };
    for (const Access& access : run_.accesses) {
      if (access.address == output_stream) continue;
      for (const HeldLock& held : run_.locksets[run_.segments[access.segment].locks]) {
        locks[held.pc].mutex = held.mutex;
        note(locks[held.pc], access);
      }
      if (!is_atomic(access.kind)) continue;
      note(atomics[access.pc], access);
      atomics[access.pc].objects.insert(access.address);
    }
    for (const auto& [pc, place] : locks) {
      const MutexKind kind = place.mutex.kind;
      const bool is_known = kind == MutexKind::critical || kind == MutexKind::lock || kind == MutexKind::nest_lock;
      if (run_.locks_are_signals || !is_known || place.excluded || place.segments.size() < 2 ||
          conflicts.needs_lock(pc))
        continue;
      out_.list.push_back({.kind = Advice::Kind::lone_lock, .pc = pc, .mutex = place.mutex});
    }
    for (const auto& [pc, place] : atomics)
      if (!place.excluded && !conflicts.needs_atomic(pc))
        out_.list.push_back({
            .kind = Advice::Kind::lone_atomic,
            .pc = pc,
            .object = *place.objects.begin(),
            .mutex = {},
        });
  }

  void order(const Conflicts& conflicts) {
    Candidates candidates;
    add_waits(candidates);
    add_items(candidates);
    find_uses(candidates);
    find_meetings(candidates, conflicts);
    std::set<std::pair<SegmentId, SegmentId>> pairs;
    for (const ConflictingPair& pair : conflicts.ordered()) pairs.emplace(pair.first, pair.second);
    std::set<Construct> without;
    std::size_t tried = 0;
    for (const auto& [construct, candidate] : candidates) {
      if (candidate.excluded || (candidate.matters && candidate.used)) continue;
      if (++tried > most_constructs) {
        out_.unknown = "the program has too many constructs: some were not examined";
        return;
      }
      without.insert(construct);
      if (keeps_order(without, pairs))
        out_.list.push_back(advice(construct, candidate));
      else
        without.erase(construct);
    }
  }

  void add_waits(Candidates& out) {
    for_each_record(run_.records, [&](std::size_t, const Record& record, std::span<const Record>) {
      const auto construct = waiting_construct(record);
      if (!construct || record.kind != RecordKind::sync_begin) return;
      const TaskId task{record.first};
      Candidate& candidate = out[*construct];
      candidate.implied |= static_cast<SyncKind>(record.detail) == SyncKind::barrier_workshare;
      if (construct->kind == Construct::Kind::barrier ? !tasks_.is_known(task) : !tasks_.is_seen(task))
        candidate.excluded = true;
    });
    for (const Construct& one : frame_keepers(run_, order_)) out[one].excluded = true;
    for (const Address combining : run_.combining) out[{Construct::Kind::barrier, combining}].excluded = true;
    for (const Construct& one : last_barriers()) out[one].excluded = true;
    for (const Construct& one : uneven_barriers()) out[one].excluded = true;
  }

  /// Barriers of worksharing constructs that some task comes to right before the end of its region, which waits anyway.
  std::set<Construct> last_barriers() const {
    std::unordered_map<TaskId, std::pair<Construct, std::size_t>> last; // and the records until its end
    std::set<Construct> out;
    for_each_record(run_.records, [&](std::size_t i, const Record& record, std::span<const Record>) {
      if (record.kind != RecordKind::sync_begin && record.kind != RecordKind::sync_end) return;
      const TaskId task{record.first};
      const auto kind = static_cast<SyncKind>(record.detail);
      if (kind == SyncKind::barrier_workshare && record.kind == RecordKind::sync_end)
        last[task] = {{Construct::Kind::barrier, record.place}, i + 1};
      else if (kind == SyncKind::barrier_parallel && record.kind == RecordKind::sync_begin && last.contains(task) &&
               !accesses_between(task, last[task].second, i))
        out.insert(last[task].first);
      else
        last.erase(task);
    });
    return out;
  }
  bool accesses_between(TaskId task, std::size_t first_record, std::size_t last_record) const {
    const auto first = std::lower_bound(
        run_.accesses.begin(), run_.accesses.end(), first_record,
        [&](const Access& access, std::size_t record) { return run_.segments[access.segment].records < record; });
    for (auto access = first; access != run_.accesses.end(); ++access) {
      if (run_.segments[access->segment].records > last_record) return false;
      if (order_.task(access->segment) == task) return true;
    }
    return false;
  }

  /// Barriers at which members of a team come from different places: without one of these the others would not match.
  std::set<Construct> uneven_barriers() const {
    std::map<std::pair<TeamId, std::size_t>, Construct> first;
    std::unordered_map<TaskId, std::size_t> met;
    std::set<Construct> out;
    for_each_record(run_.records, [&](std::size_t, const Record& record, std::span<const Record>) {
      if (record.kind != RecordKind::sync_begin) return;
      const auto kind = static_cast<SyncKind>(record.detail);
      if (kind == SyncKind::taskwait || kind == SyncKind::taskgroup || kind == SyncKind::gathering) return;
      const Construct here{Construct::Kind::barrier, record.place};
      const auto [known, fresh] = first.try_emplace({TeamId{record.second}, met[TaskId{record.first}]++}, here);
      if (!fresh && known->second != here) out.insert({here, known->second});
    });
    return out;
  }

  void add_items(Candidates& out) {
    std::map<Address, std::size_t> lengths;
    for (const auto& [task, items] : tasks_.all_items()) {
      const Address pc = tasks_.creation(task);
      if (pc == 0) continue; // a taskwait's
      const std::size_t length = lengths.try_emplace(pc, items.size()).first->second;
      for (std::size_t i = 0; i < items.size(); ++i) {
        const auto [entry, fresh] = out.try_emplace({Construct::Kind::depend_item, pc, i});
        Candidate& candidate = entry->second;
        if (fresh) candidate.type = items[i].type;
        if (fresh || items[i].low < candidate.object) candidate.object = items[i].low;
        candidate.excluded |= !items[i].is_plain || items[i].type != candidate.type || items.size() != length ||
                              items[i].low == items[i].high || !tasks_.is_seen(task);
      }
    }
    for (auto& [construct, candidate] : out)
      if (construct.kind == Construct::Kind::depend_item && construct.item >= lengths[construct.pc])
        candidate.excluded = true;
  }

  /// Calls `visit(construct, item)` for each item of the task and of those around it that shares bytes with a range.
  template <class Visit> void for_items_at(TaskId task, Address low, Address high, Visit visit) const {
    tasks_.for_each_around(task, [&](TaskId one) {
      const std::vector<Item>& items = tasks_.items(one);
      for (std::size_t i = 0; i < items.size(); ++i)
        if (items[i].low < high && low < items[i].high)
          visit(Construct{Construct::Kind::depend_item, tasks_.creation(one), i}, items[i]);
    });
  }

  void find_uses(Candidates& out) const {
    for (const Access& access : run_.accesses)
      for_items_at(order_.task(access.segment), access.address, access.address + access.size,
                   [&](const Construct& construct, const Item&) { out[construct].used = true; });
  }

  void find_meetings(Candidates& out, const Conflicts& conflicts) const {
    for (const ConflictingPair& pair : conflicts.ordered())
      for_items_at(order_.task(pair.first), pair.low, pair.high, [&](const Construct& one, const Item& item) {
        for_items_at(order_.task(pair.second), pair.low, pair.high, [&](const Construct& other, const Item& same) {
          if (item.low == same.low) out[one].matters = out[other].matters = true;
        });
      });
  }

  bool keeps_order(const std::set<Construct>& without, const std::set<std::pair<SegmentId, SegmentId>>& pairs) const {
    const Replay changed(run_, without);
    const graph::Reachability reach(changed.graph());
    return std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
      return reach.reaches(changed.strand(pair.first), changed.strand(pair.second));
    });
  }

  static Advice advice(const Construct& construct, const Candidate& candidate) {
    using Kind = Advice::Kind;
    Advice out{.pc = construct.pc, .object = candidate.object, .type = candidate.type, .mutex = {}};
    out.kind = construct.kind == Construct::Kind::taskwait  ? Kind::idle_wait
               : construct.kind == Construct::Kind::barrier ? (candidate.implied ? Kind::idle_end : Kind::idle_barrier)
               : candidate.used                             ? Kind::idle_item
                                                            : Kind::unused_item;
    return out;
  }

  const Run& run_;
  const std::set<Construct> nothing_;
  const Replay order_;
  const Tasks tasks_;
  Advices out_;
};

} // namespace

Advices advise(const Run& run) {
  if (!run.unknown.empty()) return {{}, run.unknown};
  return Adviser(run).advise();
}

} // namespace fletcher::advise

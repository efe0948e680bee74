// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the annotator keeps of teams, tasks and locks: the points that stand for what one waits for.
#pragma once

#include "checker/events.hpp"
#include "checker/memory/spin_lock.hpp"
#include "lib/annotate/patience.hpp"
#include "lib/annotate/tasks/fibers.hpp"
#include "lib/annotate/thread_sanitizer.hpp"
#include "lib/annotate/turns.hpp"

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace fletcher::annotate {

/// The word that a lock was let go may come when the next thread has it already. So who gets it waits for that word,
/// but not forever: it may never come.
class Lock {
public:
  void acquired(const ThreadSanitizer& sanitizer, TaskId task) noexcept {
    patience_.wait([&] {
      TaskId none = TaskId::none;
      return holder_.compare_exchange_strong(none, task, std::memory_order_acquire);
    });
    holder_.store(task, std::memory_order_relaxed);
    sanitizer.acquire(point_);
  }
  /// It may be told twice: before the lock is free, and when the next task has it.
  void released(const ThreadSanitizer& sanitizer, TaskId task) noexcept {
    sanitizer.release(point_);
    holder_.compare_exchange_strong(task, TaskId::none, std::memory_order_release);
  }
  void destroyed() noexcept { holder_.store(TaskId::none, std::memory_order_relaxed); }

private:
  Point point_{};
  std::atomic<TaskId> holder_{TaskId::none};
  Patience patience_;
};

struct Team {
  Point begun{}, ended{};
  Point tasks{};                   ///< the ends of its explicit tasks
  std::array<Point, 2> barriers{}; ///< by turns: who is slow to leave one must not come after the next
  Point gathering{}, doacross{};
  Address construct = 0; ///< where its call goes on
  bool is_league = false;
  unsigned contention_group = 0;
  Lock ordered;
  std::atomic<bool> cancelled{false};
};

struct Taskgroup {
  std::shared_ptr<Taskgroup> outer;
  Point ends{}; ///< of what was created in it
};

/// What depends on one address, among the tasks that one task has created.
struct Dependents {
  Point in{}, out{}, set{};
};

struct Dependent {
  Dependents* at = nullptr; ///< null: omp_all_memory
  DependenceType type = DependenceType::in;
};

struct Task : std::enable_shared_from_this<Task> {
  TaskId id = TaskId::none;
  Address construct = 0;         ///< an explicit one's: where its call goes on
  unsigned contention_group = 0; ///< each team of a league is one of its own; 0: outside of leagues
  std::shared_ptr<Task> creator;
  std::shared_ptr<Team> team;
  std::shared_ptr<Taskgroup> waited_for_by, group; ///< that it was created in; that it is in
  Point so_far{};                  ///< up to where it was created or, an untied one, left: it may change threads
  Point children{};                ///< their ends
  Point depending{}, all_memory{}; ///< ends of its children with dependences; with omp_all_memory
  memory::SpinLock lock;
  std::map<Address, Dependents> dependents; ///< of its children
  std::vector<Dependent> dependences;       ///< its own
  std::vector<Dependent> awaited;           ///< of the taskwait that it is in
  unsigned barriers = 0;
  Member member;                 ///< an implicit one's
  std::atomic<unsigned> ends{0}; ///< of its body, of its event
  bool created_on_main = false;  ///< an explicit one: by the main thread, not in another explicit one
  bool started = false;
  bool has_created = false; ///< a task
  bool untied = false;
  bool has_parts = false;  ///< an untied one, whose function the runtime calls once for each
  bool parts_seen = false; ///< each one's end is reported
  std::atomic<bool> in_part{false};
  std::atomic<const void*> part_by{nullptr}; ///< the thread that executed the last one
  bool may_move = false;   ///< it begins and ends on one thread, which executes it apart from its creator
  bool has_number = false; ///< it knows which thread it is on
  Fiber* fiber = nullptr;  ///< while it runs as one
  void* outside = nullptr; ///< what its thread was before, for ThreadSanitizer
};

/// By their ids, for all threads.
template <class Id, class Record> class Table {
public:
  void add(Id id, std::shared_ptr<Record> record) {
    Part& in = part(id);
    const memory::SpinGuard guard(in.lock);
    in.records.insert_or_assign(id, std::move(record));
  }
  std::shared_ptr<Record> find(Id id) {
    Part& in = part(id);
    const memory::SpinGuard guard(in.lock);
    const auto found = in.records.find(id);
    return found == in.records.end() ? nullptr : found->second;
  }
  void remove(Id id) {
    std::shared_ptr<Record> last; // ends without the lock
    Part& in = part(id);
    const memory::SpinGuard guard(in.lock);
    const auto found = in.records.find(id);
    if (found == in.records.end()) return;
    last = std::move(found->second);
    in.records.erase(found);
  }

private:
  struct alignas(64) Part {
    memory::SpinLock lock;
    std::unordered_map<Id, std::shared_ptr<Record>> records;
  };
  Part& part(Id id) noexcept { return parts_[number(id) % parts_.size()]; }
  std::array<Part, 64> parts_;
};

} // namespace fletcher::annotate

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes events down, a line each, so that a failing run can be read.
#pragma once

#include "checker/events.hpp"

#include <ostream>

namespace fletcher::property {

class EventText final : public Listener {
public:
  explicit EventText(std::ostream& out) : out_(out) {}

  void on(const InitialTaskBegin& e) override { line(e.thread) << "initial task " << number(e.task) << '\n'; }
  void on(const ParallelBegin& e) override {
    line(e.thread) << "task " << number(e.encountering) << " forks team " << number(e.team) << '\n';
  }
  void on(const ParallelEnd& e) override {
    line(e.thread) << "task " << number(e.encountering) << " joins team " << number(e.team) << '\n';
  }
  void on(const ImplicitTaskBegin& e) override {
    line(e.thread) << "implicit task " << number(e.task) << " is " << e.index << " of " << e.size << " in team "
                   << number(e.team) << '\n';
  }
  void on(const ImplicitTaskEnd& e) override { line(e.thread) << "implicit task " << number(e.task) << " ends\n"; }
  void on(const TaskCreate& e) override {
    line(e.thread) << "task " << number(e.creator) << " creates task " << number(e.task)
                   << (e.traits.undeferred ? " undeferred" : "") << '\n';
  }
  void on(const TaskDependences& e) override {
    list(line(e.thread) << "task " << number(e.task) << " depends", e.list) << '\n';
  }
  void on(const TaskSwitch& e) override {
    line(e.thread) << "task " << number(e.prior) << " -> task " << number(e.next) << '\n';
  }
  void on(const TaskEnd& e) override {
    line(e.thread) << "task " << number(e.task) << " ends" << (e.detached ? ", event open" : "")
                   << (e.cancelled ? ", cancelled" : "") << "; task " << number(e.next) << " goes on\n";
  }
  void on(const TaskFulfill& e) override {
    line(e.thread) << "fulfils the event of task " << number(e.task) << (e.early ? " early\n" : "\n");
  }
  void on(const SyncBegin& e) override {
    line(e.thread) << "task " << number(e.task) << " begins " << name(e.kind) << '\n';
  }
  void on(const SyncEnd& e) override {
    line(e.thread) << "task " << number(e.task) << " ends " << name(e.kind) << '\n';
  }
  void on(const TaskwaitDepend& e) override {
    list(line(e.thread) << "task " << number(e.task) << (e.begin ? " begins" : " ends") << " taskwait depend", e.list)
        << '\n';
  }
  void on(const MutexEvent& e) override {
    if (e.step != MutexStep::acquired && e.step != MutexStep::released) return;
    line(e.thread) << "task " << number(e.task) << (e.step == MutexStep::acquired ? " acquires " : " releases ")
                   << static_cast<int>(e.mutex.kind) << ':' << std::hex << e.mutex.address << std::dec << '\n';
  }
  void on(const Doacross& e) override {
    line(e.thread) << "task " << number(e.task) << (e.source ? " source " : " sink ") << e.iteration[0] << '\n';
  }
  void on(const Work& e) override {
    if (e.kind == WorkKind::single_other) return;
    line(e.thread) << "task " << number(e.task) << (e.begin ? " begins" : " ends")
                   << (e.kind == WorkKind::single_executor ? " single\n" : " loop\n");
  }
  void on(const Dispatch& e) override {
    line(e.thread) << "task " << number(e.task) << " takes iteration " << e.start << '\n';
  }
  void on(const Release& e) override {
    line(e.thread) << "releases object " << std::hex << e.object << std::dec << '\n';
  }
  void on(const Acquire& e) override {
    line(e.thread) << "acquires object " << std::hex << e.object << std::dec << '\n';
  }
  void on(const Cancel& e) override { line(e.thread) << "task " << number(e.task) << " cancels\n"; }

private:
  static const char* name(SyncKind kind) {
    switch (kind) {
    case SyncKind::taskwait:
      return "taskwait";
    case SyncKind::taskgroup:
      return "taskgroup";
    case SyncKind::barrier_parallel:
      return "closing barrier";
    default:
      return "barrier";
    }
  }
  static std::ostream& list(std::ostream& out, std::span<const Dependence> items) {
    for (const Dependence& d : items) {
      if (d.all_memory)
        out << " all_memory";
      else
        out << ' ' << static_cast<int>(d.type) << ":d" << d.address;
    }
    return out;
  }
  std::ostream& line(ThreadId thread) { return out_ << "  [" << number(thread) << "] "; }
  std::ostream& out_;
};

} // namespace fletcher::property

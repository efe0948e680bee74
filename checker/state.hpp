// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a checker is made of: tables, constructs and rules.
#pragma once

#include "checker/checker.hpp"

#include "checker/constructs/dependences/dependences.hpp"
#include "checker/constructs/execution.hpp"
#include "checker/constructs/locks/atomic_order.hpp"
#include "checker/rules/construct_mismatch.hpp"
#include "checker/rules/data_race.hpp"
#include "checker/rules/dependences/non_sibling_dependence.hpp"
#include "checker/rules/dependences/unmatched_dependence.hpp"
#include "checker/rules/fork_after_region.hpp"
#include "checker/rules/lane_race.hpp"
#include "checker/rules/locks/lock_misuse.hpp"
#include "checker/rules/locks/lock_order.hpp"
#include "checker/rules/mapping_bug.hpp"
#include "checker/rules/missing_taskwait.hpp"
#include "checker/rules/mpi_threads.hpp"
#include "checker/rules/mpi_usage.hpp"
#include "checker/rules/reporter.hpp"
#include "checker/rules/waits/another_thread.hpp"
#include "checker/rules/waits/deadlock.hpp"
#include "checker/rules/waits/held_wait.hpp"

#include <algorithm>
#include <optional>

namespace fletcher {

struct Checker::State {
  State(const CheckerConfig& config, FindingSink& sink)
      : tables(order::StrandTables::most_strand_bits, config.ids_at_once), calls(access::Cell::site_bits),
        reporter(sink, config.max_findings, locks) {
    tables.set_alarm(config.may_be_worth_sweeping);
    tables.set_alarm_at(worth_sweeping_at());
    if (!config.accesses) return;
    races.emplace(tables, calls, locksets, race_rule, config.address_bits, config.lock_order_is_order, config.memory);
    if (!races->ok()) races.reset();
  }

  /// So many bytes of the tables taken since the last sweep. What shadow memory holds has to be looked at; and what is
  /// needed, where it is more, is not worth half as much again.
  std::size_t worth_sweeping_at() {
    constexpr std::size_t least = std::size_t{2} << 20, share = 16;
    return std::max({least, tables.bytes_needed() / 2, races ? races->shadow().bytes_filled() / share : 0});
  }

  order::StrandTables tables;
  access::CallTree calls;
  access::Locksets locksets;
  constructs::StackVariables items, locks; ///< of depend clauses; of lock routines
  rules::Reporter reporter;
  // The execution and the race check know each other; the check is made first and reports to a rule that is made later.
  struct Relay final : access::RaceListener {
    explicit Relay(State& s) : state(s) {}
    access::Repeats race(const access::Race& r) override {
      if (state.missing_taskwait->concerns(r)) return state.missing_taskwait->race(r);
      return state.mpi_threads->owns(r.address) ? state.mpi_threads->race(r) : state.data_race->race(r);
    }
    State& state;
  } race_rule{*this};
  std::optional<access::RaceCheck> races;
  std::optional<constructs::Execution> execution;
  std::optional<rules::DataRace> data_race;
  std::optional<rules::LaneRace> lane_race;
  std::optional<rules::MissingTaskwait> missing_taskwait;
  std::optional<rules::NonSiblingDependence> non_sibling;
  std::optional<rules::UnmatchedDependence> unmatched;
  std::optional<rules::LockMisuse> lock_misuse;
  std::optional<rules::LockOrder> lock_order;
  std::optional<rules::HeldWait> held_wait;
  std::optional<rules::AnotherThread> another_thread;
  std::optional<rules::ConstructMismatch> construct_mismatch;
  std::optional<rules::ForkAfterRegion> fork_after_region;
  std::optional<rules::MpiThreads> mpi_threads;
  std::optional<rules::MpiUsage> mpi_usage;
  std::optional<rules::MappingBug> mapping_bug;
  std::optional<constructs::AtomicOrder> atomics;
};

} // namespace fletcher

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/ranks/hang.hpp"

#include "checker/checker.hpp"
#include "checker/memory/hash.hpp"
#include "checker/rules/mpi_threads.hpp"
#include "checker/rules/mpi_usage.hpp"
#include "checker/waiting/snapshot.hpp"
#include "lib/interpose/mpi/library.hpp"
#include "lib/interpose/mpi/ranks/board.hpp"
#include "lib/tool/gate.hpp"
#include "lib/tool/process/kernel_threads.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <string_view>

namespace fletcher::interpose::mpi {

namespace {

using board::Process;
using Milliseconds = std::int64_t;
constexpr Milliseconds between_looks = 400, least_time = 1500;
constexpr std::uint32_t enough_times = 3;
/// A transfer of all that the processes hold takes less, between processes of one machine.
constexpr std::uint64_t slowest_bytes_per_millisecond = 100'000;
constexpr auto patience = std::chrono::milliseconds(20);

/// A thread that calls MPI, as the watcher sees it.
struct Caller : detail::VisibleCall {
  std::atomic<access::ThreadState*> thread{nullptr};
  std::atomic<pid_t> number{0};
  std::atomic<Address> pc{0};
  std::atomic<std::uint64_t> calls{0};
};
/// Of a program with more such threads nothing is told.
constinit std::array<Caller, 256> callers;
constinit std::atomic<std::size_t> callers_taken{0};

Milliseconds now() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return Milliseconds{t.tv_sec} * 1000 + t.tv_nsec / 1'000'000;
}

/// What it waits for comes from other processes of the job.
bool waits_for_job(std::string_view function) {
  using namespace std::string_view_literals;
  constexpr std::array others{"File"sv,        "file"sv,        "Comm_connect"sv, "comm_connect"sv,
                              "Comm_accept"sv, "comm_accept"sv, "Comm_spawn"sv,   "comm_spawn"sv,
                              "Comm_join"sv,   "comm_join"sv,   "Lookup_name"sv,  "lookup_name"sv,
                              "Abort"sv,       "abort"sv,       "Init"sv,         "init"sv};
  return std::ranges::none_of(others, [&](std::string_view one) { return function.find(one) != function.npos; });
}

const Caller* caller_of(const access::ThreadState* thread) noexcept {
  const std::size_t count = std::min(callers_taken.load(std::memory_order_acquire), callers.size());
  const auto found = std::find_if(callers.begin(), callers.begin() + static_cast<std::ptrdiff_t>(count),
                                  [&](const Caller& one) { return one.thread == thread; });
  return found == callers.begin() + static_cast<std::ptrdiff_t>(count) ? nullptr : &*found;
}

/// All threads that could go on; nothing where one of them is in no call of MPI, or where nobody can tell.
std::vector<const Caller*> all_in_calls(tool::Session& the) {
  std::vector<const access::ThreadState*> running;
  if (!tool::gate::close(patience)) return {};
  for (const tool::gate::Slot& slot : tool::gate::slots())
    if (slot.thread.load(std::memory_order_relaxed) != 0) {
      const access::ThreadState& thread = the.checker().thread(ThreadId{slot.id.load(std::memory_order_relaxed)});
      if (waiting::runs(thread)) running.push_back(&thread);
    }
  tool::gate::open();
  std::vector<const Caller*> out;
  for (const access::ThreadState* const thread : running) {
    const Caller* const caller = caller_of(thread);
    const char* const function = caller == nullptr ? nullptr : caller->function.load(std::memory_order_acquire);
    if (function == nullptr || !waits_for_job(function)) return {};
    out.push_back(caller);
  }
  return out;
}

/// Bytes of memory that the process has had of the system at most.
std::uint64_t most_memory() {
  constexpr std::uint64_t kilobyte = 1024;
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<std::uint64_t>(used.ru_maxrss) * kilobyte;
}

} // namespace

void note_call(access::ThreadState& thread, Address pc) noexcept {
  if (board::own() == nullptr) return;
  auto* own_caller = static_cast<Caller*>(detail::visible_call);
  if (own_caller == nullptr) {
    const std::size_t mine = callers_taken.fetch_add(1, std::memory_order_relaxed);
    if (mine >= callers.size()) return;
    own_caller = &callers[mine];
    own_caller->number = static_cast<pid_t>(syscall(SYS_gettid));
    detail::visible_call = own_caller;
  }
  own_caller->thread.store(&thread, std::memory_order_relaxed);
  own_caller->pc.store(pc, std::memory_order_relaxed);
  own_caller->calls.fetch_add(1, std::memory_order_release);
}

void Hang::goes_on() noexcept {
  Process* const own = board::own();
  if (own != nullptr && own->stuck.load(std::memory_order_relaxed) != 0) own->stuck = 0;
}

bool Hang::look(std::uint64_t state) {
  Process* const own = board::own();
  const Milliseconds time = now();
  if (own == nullptr || told_ || time - last_look_ < between_looks) return false;
  last_look_ = time;
  const std::vector<const Caller*> callers_now = all_in_calls(the_);
  if (callers_now.empty()) {
    goes_on();
    return false;
  }
  std::vector<tool::kernel::Progress> progress;
  for (const Caller* const one : callers_now) {
    state = memory::mix(state, one->calls.load(std::memory_order_acquire));
    progress.push_back(tool::kernel::progress(one->number));
  }
  state |= 1; // never 0
  if (own->stuck.load(std::memory_order_relaxed) != state) {
    own->seen = 0;
    own->memory = most_memory();
    const Caller& one = *callers_now.front();
    board::write(own->waits, state, [&](Process::Waits& waits) {
      waits.place = board::place_of(one.pc - 1);
      waits.function = board::Name(one.function);
    });
    own->stuck = state;
  } else if (std::equal(progress.begin(), progress.end(), progress_.begin(), progress_.end(),
                        tool::kernel::had_its_chance)) {
    ++own->seen;
  } else {
    return false; // against what was seen before it may have had its chance the next time
  }
  progress_ = std::move(progress);
  if (!all_wait_for_ever(time)) return false;
  told_ = true;
  tell();
  return true;
}

bool Hang::all_wait_for_ever(Milliseconds time) {
  const auto all = board::processes();
  std::vector<Seen> seen;
  std::uint64_t memory = 0;
  for (const Process& one : all) {
    const bool over = one.life == Process::over;
    const Seen its{over ? 1 : one.stuck.load(), over ? 0 : one.seen.load()};
    if (its.stuck == 0) break;
    seen.push_back(its);
    memory += one.memory;
  }
  if (all.empty() || seen.size() != all.size() || board::others_may_send()) {
    at_first_.clear();
    return false;
  }
  const auto same = [](const Seen& a, const Seen& b) { return a.stuck == b.stuck; };
  if (!std::equal(seen.begin(), seen.end(), at_first_.begin(), at_first_.end(), same)) {
    at_first_ = std::move(seen);
    since_ = time;
    return false;
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    if (seen[i].stuck != 1 && seen[i].times - at_first_[i].times < enough_times) return false;
  return time - since_ >= least_time + static_cast<Milliseconds>(memory / slowest_bytes_per_millisecond);
}

void Hang::tell() {
  const auto all = board::processes();
  Address other = 0;
  std::string meaning;
  for (std::size_t step = 1; step < all.size() && other == 0; ++step) {
    const std::size_t rank = (static_cast<std::size_t>(board::own_rank()) + step) % all.size();
    Process::Waits waits;
    if (!board::read(all[rank].waits, all[rank].stuck, [&](const Process::Waits& its) {
          waits.place = its.place;
          waits.function = its.function;
        }))
      continue;
    other = board::address_of(waits.place);
    meaning = "process " + std::to_string(rank) + " of MPI_COMM_WORLD waits in " +
              mpi_function(waits.function.text.data()) + " here";
  }
  for (const Caller* const one : all_in_calls(the_))
    the_.checker().mistaken(
        *one->thread, {.pc = one->pc,
                       .message = mpi_function(one->function) +
                                  ", called by {task}, waits forever: all processes of MPI_COMM_WORLD wait in calls of "
                                  "MPI, or have called MPI_Finalize",
                       .fix = "let one process send while the other one receives, and every process make the same "
                              "collective calls",
                       .earlier = other,
                       .meaning = meaning});
  board::own()->told = true;
}

void Hang::wait_for_others() noexcept {
  constexpr int most_waits = 40;
  constexpr timespec moment{0, 50'000'000};
  const auto has_told = [](const Process& one) { return one.told || one.life != Process::running; };
  for (int i = 0; i < most_waits; ++i) {
    const auto all = board::processes();
    if (std::all_of(all.begin(), all.end(), has_told)) return;
    nanosleep(&moment, nullptr);
  }
}

} // namespace fletcher::interpose::mpi

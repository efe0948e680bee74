// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What processes do to each other's windows between two fences: each writes its operations down (board.hpp), and the
// target looks at them when its next fence is over. Then all have written theirs. Operations of that time must not
// conflict with each other, nor with what the target does to its memory meanwhile.

#include "checker/checker.hpp"
#include "checker/memory/hash.hpp"
#include "checker/rules/mpi_usage.hpp"
#include "lib/interpose/mpi/epochs.hpp"
#include "lib/interpose/mpi/ranks/board.hpp"
#include "lib/interpose/mpi/ranks/done_by_others.hpp"
#include "lib/interpose/mpi/ranks/meetings.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace fletcher::interpose::mpi::exposed {

namespace {

using board::Remote;

/// A datatype with more parts than that is left out.
constexpr std::size_t most_parts = 16;
/// So many findings of one fence say it all.
constexpr int most_told = 4;

struct Done {
  Address begin = 0, end = 0;
  Address pc = 0; ///< of the call; 0: in a library
  int rank = 0;
  std::int64_t at = 0;
  access::Kind kind = access::Kind::read;
  std::uint64_t operation = 0;
  board::Name function;
};

std::uint64_t key_of(const windows::Exposure& window) { return memory::mix(window.id, window.fences) | 1; }

bool combine(const Done& a, const Done& b) { return access::is_atomic(a.kind) && access::is_atomic(b.kind); }
bool conflict(const Done& a, const Done& b) {
  if (a.begin >= b.end || b.begin >= a.end) return false;
  if (!access::writes(a.kind) && !access::writes(b.kind)) return false;
  // Those that combine must do so in one way; of some it is not known in which.
  return !combine(a, b) || (a.operation != 0 && b.operation != 0 && a.operation != b.operation);
}
/// The origin itself tells of those with one displacement.
bool is_told_there(const Done& a, const Done& b) { return a.rank == b.rank && a.at == b.at && !combine(a, b); }

std::string who(const Done& one) {
  return mpi_function(one.function.text.data()) + " by process " + std::to_string(one.rank);
}

void tell(const Call& call, const Done& a, const Done& b) {
  call.thread().checker->mistaken(
      call.thread(), {.pc = a.pc != 0 ? a.pc + 1 : call.pc(),
                      .message = who(a) + " and " + who(b) +
                                 " of MPI_COMM_WORLD use the same bytes of this process's window between two fences, "
                                 "and nothing orders them",
                      .fix = "put an MPI_Win_fence between them, or use MPI_Accumulate with one operation",
                      .earlier = b.pc != 0 ? b.pc + 1 : 0,
                      .meaning = "the other one is here"});
}

} // namespace

void note(const Call& call, Handle window, const Target& target) {
  board::Process* const own = board::own();
  if (own == nullptr) return;
  const tool::InsideTool inside;
  const windows::Exposure exposure = windows::exposure(window);
  if (exposure.id == 0 || !exposure.by_fences) return;
  std::vector<Bytes> parts;
  Layout(target.type).each(nullptr, target.count, [&](Address offset, std::size_t size) {
    if (parts.size() <= most_parts) parts.push_back({static_cast<Displacement>(offset), size});
  });
  if (parts.size() > most_parts) return;
  const board::Place place = board::place_of(call.pc() - 1);
  for (const Bytes& part : parts) {
    const std::uint64_t number = own->remotes_written.fetch_add(1, std::memory_order_relaxed);
    board::write(board::at(own->remotes, number), key_of(exposure), [&](Remote& remote) {
      remote.place = place;
      remote.function = board::Name(call.function());
      remote.target = target.process;
      remote.at = target.at;
      remote.offset = part.offset;
      remote.bytes = static_cast<std::int64_t>(part.size);
      remote.kind = target.kind;
      remote.operation = target.operation == 0 ? 0 : meetings::operation(target.operation);
    });
  }
}

void fenced(const Call& call, Handle window, bool goes_on) {
  if (!call || board::own() == nullptr) return;
  const KeptErrno kept;
  const tool::InsideTool inside;
  const windows::Exposure exposure = windows::next_fence(window);
  if (exposure.id == 0) return;
  std::vector<Done> done;
  const auto all = board::processes();
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    for (const Remote& remote : all[rank].remotes) {
      Done one;
      const auto use = [&](const Remote& its) {
        one.begin = its.target == exposure.rank ? exposure.base + static_cast<Address>(its.at * exposure.unit) +
                                                      static_cast<Address>(its.offset)
                                                : 0;
        one.end = one.begin + static_cast<Address>(its.bytes);
        one.pc = board::address_of(its.place);
        one.rank = static_cast<int>(rank);
        one.at = its.at;
        one.kind = its.kind;
        one.operation = its.operation;
        one.function = its.function;
      };
      if (board::read(remote, key_of(exposure), use) && one.begin != 0) done.push_back(one);
    }
  // Where accesses are checked, most are races.
  const bool races = call.has_buffers() && call.thread().off <= 0;
  int told = 0;
  for (std::size_t i = 0; i < done.size(); ++i) {
    const Done& one = done[i];
    bool known = one.rank == board::own_rank(); // what the process does to its own part is seen already (epochs.hpp)
    for (std::size_t j = 0; j < i; ++j) {
      if (!conflict(done[j], one)) continue;
      if (is_told_there(done[j], one)) {
        known = true;
      } else if ((!races || combine(done[j], one)) && told < most_told) {
        tell(call, done[j], one);
        ++told;
      }
    }
    if (races && !known)
      operations::done_by_another(call, exposure.since, one.pc != 0 ? one.pc + 1 : call.pc(), one.function.text.data(),
                                  one.begin, one.end - one.begin, one.kind);
  }
  operations::forget_mark(exposure.since);
  if (goes_on) operations::mark(call, exposure.since);
}

void freed(Handle window) {
  if (const windows::Exposure exposure = windows::exposure(window); exposure.id != 0)
    operations::forget_mark(exposure.since);
}

} // namespace fletcher::interpose::mpi::exposed

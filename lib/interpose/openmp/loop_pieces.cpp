// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops with a static schedule: the compiler plugin (lib/pass/loops/static_pieces) has the thread ask here how many of
// its iterations come next, as if the team were larger.

#include "checker/constructs/strand.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/openmp/doacross.hpp"
#include "lib/interpose/openmp/team_sizes.hpp"
#include "lib/ompt/local.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

/// The plugin's variables, of which it knows the size only.
struct Pieces {
  std::uint64_t iterations; ///< that are left
  std::uint32_t pieces;
  std::uint32_t singly; ///< so many of them have one iteration each
};
struct Chunks {
  std::uint64_t met;
  std::uint64_t each; ///< begins a unit
};
static_assert(sizeof(Pieces) == 16 && sizeof(Chunks) == 16);

constexpr std::uint64_t any_number = ~std::uint32_t{0};

/// How often the thread has come to the loops that it came to last. Few: a library that the runtime opens gets no more
/// than some 1.6 KB of static thread-local storage.
struct Executions {
  Address loop = 0;
  std::uint32_t count = 0;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local std::array<Executions, 8> executions{};

/// What is read again and again is looked at anew in each unit. So a loop is divided when the thread comes there for
/// the first few times, and then ever more rarely.
bool has_its_turn(Address loop) noexcept {
  constexpr std::uint32_t always = 4;
  Executions& here = executions[loop / 4 % executions.size()];
  if (here.loop != loop) here = {loop, 0};
  return ++here.count <= always || std::has_single_bit(here.count);
}

/// Units of the loop or the sections that the thread is about to execute, at most; one where they are not divided.
std::uint64_t units(bool sections, Address loop) noexcept {
  const tool::Session* const session = tool::session();
  const access::ThreadState* const thread = outside_tool();
  if (session == nullptr || thread == nullptr || thread->off > 0 || constructs::is_identified(*thread)) return 1;
  const std::uint64_t all = session->options().pieces;
  if (all == 0) return 1;
  const ompt::Frame* const frame = ompt::local.frame;
  if (frame == nullptr || frame->team == TeamId::none || frame->task != tool::where().task) return 1;
  // Each thread of a team may get any section, whatever its size.
  if (sections) return frame->size < 2 && !frame->open ? 1 : any_number;
  if (frame->sized || asks_for_threads()) return 1;
  // A team of one inside of another one is so by the limit on levels, which programs count on.
  if (frame->size < 2 &&
      (!ompt::is_outside(ompt::local, frame->outer) || asks_whether_parallel() || in_doacross_loop()))
    return 1;
  if (!has_its_turn(loop)) return 1;
  constexpr std::uint64_t least = 2;
  return std::max(all / frame->size, least);
}

void begin_unit(std::uint64_t iterations) {
  const auto where = tool::where();
  raise(Dispatch{where.thread, where.task, where.team, DispatchKind::piece, 0, iterations});
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

/// The same of what comes then.
std::uint64_t __fletcher_next_piece(Pieces* left);

/// How many of the thread's `iterations` come first; none where there are none.
std::uint64_t __fletcher_first_piece(Pieces* left, std::uint64_t iterations, std::uint64_t sections) {
  *left = {};
  const auto pieces = static_cast<std::uint32_t>(std::min({units(sections != 0, caller()), iterations, any_number}));
  if (pieces < 2) return iterations;
  // Half of them go to the first iterations: where neighbours conflict, they mostly do so there already.
  *left = {iterations, pieces, pieces / 2};
  return __fletcher_next_piece(left);
}

std::uint64_t __fletcher_next_piece(Pieces* left) {
  if (left->pieces == 0) return 0;
  const bool single = left->singly > 0;
  const std::uint64_t next = single ? 1 : (left->iterations - 1) / left->pieces + 1;
  *left = {left->iterations - next, left->pieces - 1, left->singly - single};
  begin_unit(next);
  return next;
}

/// In a team of one the runtime gives all iterations at once: then the size that the thread is to make chunks of.
std::uint64_t __fletcher_begin_chunks(Chunks* chunks, std::uint64_t size) {
  *chunks = {0, units(false, caller())};
  return chunks->each > 1 && ompt::local.frame->size == 1 && static_cast<std::int64_t>(size) > 0 ? size : 0;
}

/// At the begin of each chunk. The more there are, the fewer of them begin a unit.
void __fletcher_next_chunk(Chunks* chunks) {
  const std::uint64_t units = chunks->each;
  if (units < 2) return;
  const std::uint64_t before = chunks->met++;
  if (before < units || before % std::bit_floor(before / units * 2) == 0) begin_unit(0);
}

/// What the thread keeps in variables of its own may tell it who it is (lib/pass/doubts/own_values).
void __fletcher_knows_thread() {
  if (access::ThreadState* const thread = outside_tool()) constructs::identify(*thread);
}

} // extern "C"
#pragma GCC visibility pop

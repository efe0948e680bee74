// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leagues and nested regions of gcc's programs. LLVM's entry points for them keep wrong books: a region in a team of a
// league, and one in several serialised ones, is reported with the data of another region and with the ends of others,
// and a league with a place in the runtime. So these calls become those that clang's programs make. The program's own
// call is what the runtime sees: the stubs jump. Regions outside of all others are left to the runtime's entry points.

#include "lib/interpose/openmp/call_stub.hpp"
#include "lib/interpose/openmp/kmp_place.hpp"
#include "lib/interpose/real.hpp"
#include "lib/ompt/local.hpp"
#include "lib/tool/session.hpp"

#include <array>
#include <atomic>
#include <cstddef>

#if defined(__x86_64__)

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

enum Function : std::uint32_t {
  teams_reg,
  parallel,
  sections,
  loop_static,
  loop_dynamic,
  loop_guided,
  loop_nonmonotonic_dynamic,
  loop_nonmonotonic_guided,
  loop_runtime, // and what follows: without the size of a chunk
  loop_nonmonotonic_runtime,
  loop_maybe_nonmonotonic_runtime,
  count
};
/// The runtime's number of the schedule; 0: no loop.
struct EntryPoint {
  const char* name;
  std::int32_t schedule;
};
constexpr std::int32_t chunks_static = 34, chunks_dynamic = 35, chunks_guided = 36, chunks_runtime = 37,
                       chunks_sections = 163;
constexpr std::array<EntryPoint, count> entry_points{
    EntryPoint{"GOMP_teams_reg", 0},
    {"GOMP_parallel", 0},
    {"GOMP_parallel_sections", chunks_sections},
    {"GOMP_parallel_loop_static", chunks_static},
    {"GOMP_parallel_loop_dynamic", chunks_dynamic},
    {"GOMP_parallel_loop_guided", chunks_guided},
    {"GOMP_parallel_loop_nonmonotonic_dynamic", chunks_dynamic},
    {"GOMP_parallel_loop_nonmonotonic_guided", chunks_guided},
    {"GOMP_parallel_loop_runtime", chunks_runtime},
    {"GOMP_parallel_loop_nonmonotonic_runtime", chunks_runtime},
    {"GOMP_parallel_loop_maybe_nonmonotonic_runtime", chunks_runtime},
};
constinit std::array<std::atomic<Code>, count> originals{};
constinit std::array<std::atomic<bool>, count> are_llvms{}; ///< not libgomp's

using Body = void(void* data);
using Thread = std::int32_t;

constinit Real<Thread(const Place*)> real_thread{"__kmpc_global_thread_num"};
constinit Real<void(const Place*, Thread, std::int32_t)> real_push_threads{"__kmpc_push_num_threads"},
    real_push_binding{"__kmpc_push_proc_bind"};
constinit Real<void(const Place*, Thread, std::int32_t teams, std::int32_t threads)> real_push_teams{
    "__kmpc_push_num_teams"};
constinit Real<void()> real_fork{"__kmpc_fork_call"}, real_fork_teams{"__kmpc_fork_teams"}; // only jumped to
constinit Real<void(const Place*, Thread, std::int32_t schedule, std::int64_t first, std::int64_t last,
                    std::int64_t step, std::int64_t chunk)>
    real_begin_loop{"__kmpc_dispatch_init_8"};
constinit Real<int()> real_team_size{"omp_get_num_threads"};

/// What each member of a team begins with. The last one that has read it deletes it.
struct Loop {
  Body* body;
  void* data;
  std::int64_t first, last, step, chunk;
  std::int32_t schedule;
  std::atomic<int> readers{0};
};

void region(const Thread*, const Thread*, Body* body, void* data) { body(data); }

void region_of_loop(const Thread* thread, const Thread*, Loop* loop) {
  Body* const body = loop->body;
  void* const data = loop->data;
  ompt::local.loop_body = reinterpret_cast<Address>(body);
  real_begin_loop(&place, *thread, loop->schedule, loop->first, loop->last, loop->step, loop->chunk);
  ompt::local.loop_body = 0;
  if (loop->readers.fetch_add(1, std::memory_order_acq_rel) + 1 == real_team_size()) {
    const tool::InsideTool inside;
    delete loop;
  }
  body(data);
}

/// `body` and `data` are the first arguments of both.
template <class Region>
Code fork_by(Code fork, std::uint64_t* registers, std::int32_t arguments, Region* region, std::uint64_t first,
             std::uint64_t second = 0) {
  const std::array<std::uint64_t, 5> passed{reinterpret_cast<std::uint64_t>(&place),
                                            static_cast<std::uint64_t>(arguments),
                                            reinterpret_cast<std::uint64_t>(region), first, second};
  for (std::size_t i = 0; i < passed.size(); ++i) registers[i] = passed[i];
  return fork;
}

/// Else it is libgomp's.
bool is_llvms(Code entry_point) {
  return in_one_module(reinterpret_cast<const void*>(entry_point), reinterpret_cast<const void*>(real_fork.get()));
}

/// The call that clang's program would make; null: left to the runtime's entry point.
Code league(Code original, std::uint64_t* registers) { // body data teams threads flags
  const Code fork = real_fork_teams.get();
  if (!is_llvms(original)) return nullptr;
  const Thread thread = real_thread(&place); // the runtime has started, and this tool unless it is disabled
  if (tool::session() == nullptr) return nullptr;
  real_push_teams(&place, thread, static_cast<std::int32_t>(registers[2]), static_cast<std::int32_t>(registers[3]));
  return fork_by(fork, registers, 2, region, registers[0], registers[1]);
}

Code nested(Function function, std::uint64_t* registers) { // body data threads, then as the cases say
  const std::uint64_t* const stack = registers + 7;
  const std::int32_t schedule = entry_points[function].schedule;
  std::uint64_t flags = 0;
  Loop loop{reinterpret_cast<Body*>(registers[0]), reinterpret_cast<void*>(registers[1]), 1, 0, 1, 1, schedule};
  switch (function) {
  case parallel: // flags
    flags = registers[3];
    break;
  case sections: // number flags
    loop.last = static_cast<std::uint32_t>(registers[3]);
    flags = registers[4];
    break;
  default: // first end step | chunk flags
    loop.first = static_cast<std::int64_t>(registers[3]);
    loop.step = static_cast<std::int64_t>(registers[5]);
    loop.last = static_cast<std::int64_t>(registers[4]) - (loop.step > 0 ? 1 : -1);
    loop.chunk = function < loop_runtime ? static_cast<std::int64_t>(stack[0]) : 0;
    flags = stack[function < loop_runtime ? 1 : 0];
  }
  const Thread thread = real_thread(&place);
  if (const auto threads = static_cast<std::int32_t>(registers[2]); threads != 0)
    real_push_threads(&place, thread, threads);
  if (const auto binding = static_cast<std::int32_t>(flags); binding != 0) real_push_binding(&place, thread, binding);
  const Code fork = real_fork.get();
  if (schedule == 0) return fork_by(fork, registers, 2, region, registers[0], registers[1]);
  const tool::InsideTool inside;
  auto* const shared = new Loop{loop.body, loop.data, loop.first, loop.last, loop.step, loop.chunk, schedule};
  return fork_by(fork, registers, 1, region_of_loop, reinterpret_cast<std::uint64_t>(shared));
}

} // namespace

extern "C" [[gnu::visibility("hidden"), gnu::used]] CallHandler fletcher_region_call;

Code fletcher_region_call(std::uint32_t which, std::uint64_t* registers) {
  const auto function = static_cast<Function>(which);
  Code original = originals[function].load(std::memory_order_relaxed);
  if (original == nullptr) {
    original = behind(entry_points[function].name);
    are_llvms[function].store(is_llvms(original), std::memory_order_relaxed);
    originals[function].store(original, std::memory_order_relaxed);
  }
  Code instead = nullptr;
  if (function == teams_reg)
    instead = league(original, registers);
  else if (tool::where().team == TeamId::none)
    ompt::local.gomp = are_llvms[function].load(std::memory_order_relaxed);
  else // a region that the runtime has reported: LLVM's
    instead = nested(function, registers);
  return instead != nullptr ? instead : original;
}

asm(R"asm(
  .text
  .macro fletcher_region_stub name which
  .globl \name
  .type \name, @function
\name:
  .cfi_startproc
  endbr64
  push %rdi
  .cfi_adjust_cfa_offset 8
  mov $\which, %edi
  lea fletcher_region_call(%rip), %rax
  jmp fletcher_stub_rest
  .cfi_endproc
  .size \name, . - \name
  .endm
  fletcher_region_stub GOMP_teams_reg 0
  fletcher_region_stub GOMP_parallel 1
  fletcher_region_stub GOMP_parallel_sections 2
  fletcher_region_stub GOMP_parallel_loop_static 3
  fletcher_region_stub GOMP_parallel_loop_dynamic 4
  fletcher_region_stub GOMP_parallel_loop_guided 5
  fletcher_region_stub GOMP_parallel_loop_nonmonotonic_dynamic 6
  fletcher_region_stub GOMP_parallel_loop_nonmonotonic_guided 7
  fletcher_region_stub GOMP_parallel_loop_runtime 8
  fletcher_region_stub GOMP_parallel_loop_nonmonotonic_runtime 9
  fletcher_region_stub GOMP_parallel_loop_maybe_nonmonotonic_runtime 10
)asm");

#endif

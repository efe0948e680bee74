// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/gomp/gomp_by_numbers.hpp"

#include "lib/interpose/libc.hpp"
#include "lib/interpose/openmp/call_stub.hpp"
#include "lib/interpose/real.hpp"
#include "lib/ompt/arguments.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace fletcher::interpose {

namespace {

/// A loop from `start` to, and without, `end`. `step` is negative where it counts down.
struct Iterations {
  std::uint64_t start, end, step, count;

  /// `increment` may be a negative number of fewer bits, without its sign.
  template <class T> static Iterations down(T start, T end, std::uint64_t increment) noexcept {
    if (increment >> 63 == 0) increment |= ~std::uint64_t{0} << std::bit_width(increment);
    const auto first = static_cast<std::uint64_t>(start), last = static_cast<std::uint64_t>(end);
    return {first, last, increment, start > end ? (first - last - 1) / -increment + 1 : 0};
  }
  template <class T> static Iterations up(T start, T end, std::uint64_t increment) noexcept {
    const auto first = static_cast<std::uint64_t>(start), last = static_cast<std::uint64_t>(end);
    return {first, last, increment, start < end ? (last - first - 1) / increment + 1 : 0};
  }
  /// The iterations from one number to, and without, another are those from its bound to the other's.
  std::uint64_t bound(std::uint64_t number) const noexcept { return number == count ? end : start + number * step; }
};

/// In front of what the program's task gets: the runtime writes the numbers of the task's iterations, and reads where
/// the reductions are.
struct Numbered {
  std::uint64_t from, until, reductions;
  Iterations loop;
  GompBody* body;
  GompCopy* copy;
  std::size_t size; ///< of all of this, with what aligns the program's part
};

void* program_part(void* data) { return static_cast<char*>(data) + static_cast<const Numbered*>(data)->size; }

void run(void* data) {
  const Numbered& numbered = *static_cast<const Numbered*>(data);
  auto* const bounds = static_cast<std::uint64_t*>(program_part(data));
  bounds[0] = numbered.loop.bound(numbered.from);
  bounds[1] = numbered.loop.bound(numbered.until);
  numbered.body(bounds);
}

/// The runtime has copied all, and written the task's numbers.
void copy_program_part(void* to, void* from) {
  static_cast<const Numbered*>(from)->copy(program_part(to), program_part(from));
}

constinit Real<GompTaskloop> real_taskloop{"GOMP_taskloop"}, real_taskloop_ull{"GOMP_taskloop_ull"};

constexpr std::uintptr_t aligned(std::uintptr_t number, std::size_t alignment) {
  return (number + alignment - 1) & ~(alignment - 1);
}

[[gnu::always_inline]] inline void make_taskloop(GompTaskloop* real, const Iterations& loop, GompBody* body, void* data,
                                                 GompCopy* copy, long size, long align, unsigned flags,
                                                 unsigned long tasks, int priority) {
  const auto alignment = std::max(static_cast<std::size_t>(align), alignof(Numbered));
  const std::size_t before = aligned(sizeof(Numbered), alignment);
  const std::size_t all = before + static_cast<std::size_t>(size);
  void* const room = __builtin_alloca(all + alignment);
  void* const pattern = reinterpret_cast<void*>(aligned(reinterpret_cast<std::uintptr_t>(room), alignment));
  constexpr unsigned reduction = 1u << 12; // GOMP_TASK_FLAG_REDUCTION: the third word says where they are
  const std::uint64_t reductions = (flags & reduction) != 0 ? static_cast<const std::uint64_t*>(data)[2] : 0;
  *static_cast<Numbered*>(pattern) = {0, 0, reductions, loop, body, copy, before};
  libc::memmove(program_part(pattern), data, static_cast<std::size_t>(size));
  ompt::arguments.taskloop_of(all);
  real(run, pattern, copy != nullptr ? copy_program_part : nullptr, static_cast<long>(all),
       static_cast<long>(alignment), flags | gomp_flag_up, tasks, priority, 0, loop.count, 1);
}

} // namespace

void gomp_taskloop_by_numbers(GompBody* body, void* data, GompCopy* copy, long size, long align, unsigned flags,
                              unsigned long tasks, int priority, std::uint64_t start, std::uint64_t end,
                              std::uint64_t step) {
  const auto first = static_cast<std::int64_t>(start), last = static_cast<std::int64_t>(end);
  const bool up = (flags & gomp_flag_up) != 0;
  const auto loop = up ? Iterations::up(first, last, step) : Iterations::down(first, last, step);
  make_taskloop(real_taskloop.get(), loop, body, data, copy, size, align, flags, tasks, priority);
}

void gomp_taskloop_ull_by_numbers(GompBody* body, void* data, GompCopy* copy, long size, long align, unsigned flags,
                                  unsigned long tasks, int priority, std::uint64_t start, std::uint64_t end,
                                  std::uint64_t step) {
  const bool up = (flags & gomp_flag_up) != 0;
  const auto loop = up ? Iterations::up(start, end, step) : Iterations::down(start, end, step);
  make_taskloop(real_taskloop_ull.get(), loop, body, data, copy, size, align, flags, tasks, priority);
}

#if defined(__x86_64__)
namespace {

enum Function : std::uint32_t {
  static_start,
  dynamic_start,
  guided_start,
  nonmonotonic_dynamic_start,
  nonmonotonic_guided_start,
  ordered_static_start,
  ordered_dynamic_start,
  ordered_guided_start,
  runtime_start, // from here on without the size of chunks
  nonmonotonic_runtime_start,
  maybe_nonmonotonic_runtime_start,
  ordered_runtime_start,
  any_start, // with further arguments
  any_ordered_start,
  static_next,
  dynamic_next,
  guided_next,
  nonmonotonic_dynamic_next,
  nonmonotonic_guided_next,
  ordered_static_next,
  ordered_dynamic_next,
  ordered_guided_next,
  runtime_next,
  nonmonotonic_runtime_next,
  maybe_nonmonotonic_runtime_next,
  ordered_runtime_next,
  count
};
constexpr std::array<const char*, count> names{"GOMP_loop_ull_static_start",
                                               "GOMP_loop_ull_dynamic_start",
                                               "GOMP_loop_ull_guided_start",
                                               "GOMP_loop_ull_nonmonotonic_dynamic_start",
                                               "GOMP_loop_ull_nonmonotonic_guided_start",
                                               "GOMP_loop_ull_ordered_static_start",
                                               "GOMP_loop_ull_ordered_dynamic_start",
                                               "GOMP_loop_ull_ordered_guided_start",
                                               "GOMP_loop_ull_runtime_start",
                                               "GOMP_loop_ull_nonmonotonic_runtime_start",
                                               "GOMP_loop_ull_maybe_nonmonotonic_runtime_start",
                                               "GOMP_loop_ull_ordered_runtime_start",
                                               "GOMP_loop_ull_start",
                                               "GOMP_loop_ull_ordered_start",
                                               "GOMP_loop_ull_static_next",
                                               "GOMP_loop_ull_dynamic_next",
                                               "GOMP_loop_ull_guided_next",
                                               "GOMP_loop_ull_nonmonotonic_dynamic_next",
                                               "GOMP_loop_ull_nonmonotonic_guided_next",
                                               "GOMP_loop_ull_ordered_static_next",
                                               "GOMP_loop_ull_ordered_dynamic_next",
                                               "GOMP_loop_ull_ordered_guided_next",
                                               "GOMP_loop_ull_runtime_next",
                                               "GOMP_loop_ull_nonmonotonic_runtime_next",
                                               "GOMP_loop_ull_maybe_nonmonotonic_runtime_next",
                                               "GOMP_loop_ull_ordered_runtime_next"};

constinit std::array<Code, count> originals{};

Code original(std::uint32_t function) {
  Code& code = originals[function];
  if (code == nullptr) code = behind(names[function]);
  return code;
}

/// The loops that this thread is in and that count down, by the variable that the program gets bounds in: it has one
/// for each of them.
struct Open {
  const std::uint64_t* from;
  Iterations loop;
};
thread_local std::vector<Open> open;

void forget(const std::uint64_t* from) {
  std::erase_if(open, [&](const Open& known) { return known.from == from; });
}

bool give(bool any, const Iterations& loop, std::uint64_t* from, std::uint64_t* until) {
  if (!any) {
    forget(from);
    return false;
  }
  *from = loop.bound(*from);
  *until = loop.bound(*until);
  return true;
}

bool begin(bool any, const Iterations& loop, std::uint64_t* from, std::uint64_t* until) {
  forget(from);
  if (any) open.push_back({from, loop});
  return give(any, loop, from, until);
}

using Number = std::uint64_t;

template <std::uint32_t function>
bool start_chunks(bool, Number start, Number end, Number step, Number chunk, Number* from, Number* until) {
  const auto loop = Iterations::down(start, end, step);
  const auto real = reinterpret_cast<decltype(&start_chunks<function>)>(original(function));
  return begin(real(true, 0, loop.count, 1, chunk, from, until), loop, from, until);
}

template <std::uint32_t function>
bool start_at_run_time(bool, Number start, Number end, Number step, Number* from, Number* until) {
  const auto loop = Iterations::down(start, end, step);
  const auto real = reinterpret_cast<decltype(&start_at_run_time<function>)>(original(function));
  return begin(real(true, 0, loop.count, 1, from, until), loop, from, until);
}

template <std::uint32_t function>
bool start_any(bool, Number start, Number end, Number step, long schedule, Number chunk, Number* from, Number* until,
               std::uintptr_t* reductions, void** memory) {
  const auto loop = Iterations::down(start, end, step);
  const auto real = reinterpret_cast<decltype(&start_any<function>)>(original(function));
  const bool any = real(true, 0, loop.count, 1, schedule, chunk, from, until, reductions, memory);
  return from == nullptr ? any : begin(any, loop, from, until); // it asks for no iterations
}

template <std::uint32_t function> bool next(Number* from, Number* until) {
  const auto loop = std::ranges::find(open, from, &Open::from)->loop;
  const auto real = reinterpret_cast<decltype(&next<function>)>(original(function));
  return give(real(from, until), loop, from, until);
}

template <std::uint32_t function> Code turned_round() {
  if constexpr (function < runtime_start)
    return reinterpret_cast<Code>(start_chunks<function>);
  else if constexpr (function < any_start)
    return reinterpret_cast<Code>(start_at_run_time<function>);
  else if constexpr (function < static_next)
    return reinterpret_cast<Code>(start_any<function>);
  else
    return reinterpret_cast<Code>(next<function>);
}

template <std::uint32_t... function>
Code turned_round(std::uint32_t which, std::integer_sequence<std::uint32_t, function...>) {
  Code code = nullptr;
  (void)((which == function && (code = turned_round<function>(), true)) || ...);
  return code;
}

} // namespace
#endif

} // namespace fletcher::interpose

#if defined(__x86_64__)
extern "C" [[gnu::visibility("hidden"), gnu::used]] fletcher::interpose::CallHandler fletcher_gomp_loop_call;

fletcher::interpose::Code fletcher_gomp_loop_call(std::uint32_t which, std::uint64_t* registers) {
  using namespace fletcher::interpose;
  bool down = false;
  if (which < static_next) { // up start end step | chunk | where bounds go, or up start end step schedule chunk | …
    down = (registers[0] & 0xff) == 0;
    const std::uint64_t from = which < runtime_start ? registers[5] : which < any_start ? registers[4] : registers[7];
    if (!down && !open.empty()) forget(reinterpret_cast<const std::uint64_t*>(from));
  } else if (!open.empty()) {
    const auto* const from = reinterpret_cast<const std::uint64_t*>(registers[0]);
    down = std::ranges::find(open, from, &Open::from) != open.end();
  }
  if (!down) return original(which);
  return turned_round(which, std::make_integer_sequence<std::uint32_t, count>());
}

asm(R"asm(
  .text
  .macro fletcher_gomp_loop_stub name which
  .globl GOMP_loop_ull_\name
  .type GOMP_loop_ull_\name, @function
GOMP_loop_ull_\name:
  .cfi_startproc
  endbr64
  push %rdi
  .cfi_adjust_cfa_offset 8
  mov $\which, %edi
  lea fletcher_gomp_loop_call(%rip), %rax
  jmp fletcher_stub_rest
  .cfi_endproc
  .size GOMP_loop_ull_\name, . - GOMP_loop_ull_\name
  .endm
  fletcher_gomp_loop_stub static_start 0
  fletcher_gomp_loop_stub dynamic_start 1
  fletcher_gomp_loop_stub guided_start 2
  fletcher_gomp_loop_stub nonmonotonic_dynamic_start 3
  fletcher_gomp_loop_stub nonmonotonic_guided_start 4
  fletcher_gomp_loop_stub ordered_static_start 5
  fletcher_gomp_loop_stub ordered_dynamic_start 6
  fletcher_gomp_loop_stub ordered_guided_start 7
  fletcher_gomp_loop_stub runtime_start 8
  fletcher_gomp_loop_stub nonmonotonic_runtime_start 9
  fletcher_gomp_loop_stub maybe_nonmonotonic_runtime_start 10
  fletcher_gomp_loop_stub ordered_runtime_start 11
  fletcher_gomp_loop_stub start 12
  fletcher_gomp_loop_stub ordered_start 13
  fletcher_gomp_loop_stub static_next 14
  fletcher_gomp_loop_stub dynamic_next 15
  fletcher_gomp_loop_stub guided_next 16
  fletcher_gomp_loop_stub nonmonotonic_dynamic_next 17
  fletcher_gomp_loop_stub nonmonotonic_guided_next 18
  fletcher_gomp_loop_stub ordered_static_next 19
  fletcher_gomp_loop_stub ordered_dynamic_next 20
  fletcher_gomp_loop_stub ordered_guided_next 21
  fletcher_gomp_loop_stub runtime_next 22
  fletcher_gomp_loop_stub nonmonotonic_runtime_next 23
  fletcher_gomp_loop_stub maybe_nonmonotonic_runtime_next 24
  fletcher_gomp_loop_stub ordered_runtime_next 25
)asm");
#endif

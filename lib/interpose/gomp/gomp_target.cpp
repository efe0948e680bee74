// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Target constructs of gcc's programs. LLVM's runtime has no entry points for them (except for those of old versions,
// which do nothing): such a program could not be linked. Here the host executes them, as libgomp does it where there is
// no device: nothing is copied, a league has one team, `nowait` makes a task (not one of the runtime's target tasks:
// what gcc's regions do on its helper threads fails its assertions). Where libgomp runs, it gets the calls.

#include "lib/interpose/gomp/gomp_detach.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/openmp/kmp_place.hpp"
#include "lib/interpose/real.hpp"
#include "lib/ompt/local.hpp"
#include "lib/ompt/quirks/undeferred.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

using Size = std::size_t;
using MapKind = std::uint16_t; ///< the kind; above it the logarithm of the alignment
constexpr MapKind kind_mask = 0xff, firstprivate = 0x0c;
constexpr unsigned alignment_shift = 8, flag_nowait = 1, task_flag_depend = 8;

using Target = void(int device, GompBody*, Size count, void** addresses, Size* sizes, MapKind* kinds, unsigned flags,
                    void** depend, void** arguments);
using Data = void(int device, Size count, void** addresses, Size* sizes, MapKind* kinds);
using DataTask = void(int device, Size count, void** addresses, Size* sizes, MapKind* kinds, unsigned flags,
                      void** depend);
constinit Real<Target> real_target{"GOMP_target_ext"};
constinit Real<Data> real_data{"GOMP_target_data_ext"};
constinit Real<DataTask> real_update{"GOMP_target_update_ext"}, real_enter_exit{"GOMP_target_enter_exit_data"};
constinit Real<bool(unsigned, unsigned, unsigned, bool)> real_teams{"GOMP_teams4"};
constinit Real<GompTask> real_task{"GOMP_task"};
constinit Real<void(void**)> real_wait{"GOMP_taskwait_depend"};

constinit Real<void()> any_of_llvm{"__kmpc_fork_call"};

using Thread = std::int32_t;
struct Region;
using Team = void(const Thread*, const Thread*, Region*);
constinit Real<void(const Place*, Thread argument_count, Team*, Region*)> real_fork_teams{"__kmpc_fork_teams"};
constinit Real<Thread(const Place*)> real_thread{"__kmpc_global_thread_num"};
constinit Real<void(const Place*, Thread, std::int32_t teams, std::int32_t threads)> real_push_teams{
    "__kmpc_push_num_teams"};

/// libgomp's function where that is the runtime; it may only be loaded.
template <class Signature> auto of_libgomp(Real<Signature>& function) noexcept {
  return any_of_llvm.get() == nullptr ? function.get() : nullptr;
}

/// A region and what it gets; then come its items, then its own copies of firstprivate variables. The runtime may move
/// all of it.
struct Region {
  GompBody* body;
  Size count;
  std::int32_t teams;   ///< of the league that it is; 0: as many as the runtime makes
  std::int32_t threads; ///< of each of them at most; 0: not said
  Address pc;           ///< of the construct
};
struct Item {
  void* address;
  Size copy; ///< where in all this; 0: none
};

constexpr Size aligned(Size offset, Size alignment) noexcept {
  return (offset + alignment - 1) / alignment * alignment;
}

struct Copies {
  Size size, alignment;
};
/// Tells each firstprivate variable's place.
template <class Place> Copies lay_out(Size count, const Size* sizes, const MapKind* kinds, Place place) {
  Copies all{sizeof(Region) + count * sizeof(Item), alignof(std::max_align_t)};
  for (Size i = 0; i < count; ++i) {
    if ((kinds[i] & kind_mask) != firstprivate) continue;
    const Size alignment = Size{1} << (kinds[i] >> alignment_shift);
    all.alignment = std::max(all.alignment, alignment);
    all.size = aligned(all.size, alignment);
    place(i, all.size);
    all.size += sizes[i];
  }
  return all;
}

/// What the construct says of its league, in the compiler's list: a word with the kind of thing and a small value, or
/// a larger one in the next word. It says one team where no teams construct is inside, and -1 where only the code
/// inside knows the number: the region is one team's then.
void read_league(Region& region, void* const* arguments) {
  constexpr std::intptr_t device_mask = 0x7f, in_next_word = 0x80, id_mask = 0xff00, teams = 0x100, threads = 0x200;
  constexpr int value_shift = 16;
  region.teams = 1;
  for (; arguments != nullptr && *arguments != nullptr; ++arguments) {
    const auto word = reinterpret_cast<std::intptr_t>(*arguments);
    const auto value = static_cast<std::int32_t>(
        (word & in_next_word) != 0 ? reinterpret_cast<std::intptr_t>(*++arguments) : word >> value_shift);
    if ((word & device_mask) != 0) continue; // for one kind of device
    if ((word & id_mask) == teams) region.teams = value < 0 ? 1 : value;
    if ((word & id_mask) == threads) region.threads = std::max(value, 0);
  }
}

void execute_team(void* data) {
  const auto* const region = static_cast<const Region*>(data);
  const auto* const items = reinterpret_cast<const Item*>(region + 1);
  auto** const addresses = static_cast<void**>(__builtin_alloca(region->count * sizeof(void*)));
  for (Size i = 0; i < region->count; ++i)
    addresses[i] = items[i].copy != 0 ? static_cast<std::byte*>(data) + items[i].copy : items[i].address;
  region->body(addresses);
}
void team(const Thread*, const Thread*, Region* region) { execute_team(region); }

void execute(void* data) {
  auto* const region = static_cast<Region*>(data);
  if (region->teams == 1 || real_fork_teams.get() == nullptr) return execute_team(data);
  const Thread thread = real_thread(&place);
  real_push_teams(&place, thread, region->teams, region->threads);
  ompt::local.league_pc = region->pc;
  real_fork_teams(&place, 1, team, region);
}
void nothing(void*) {}

void make_task(Address pc, GompBody* body, void* data, Copies size, void** depend) {
  ompt::call_pc = pc;
  ompt::call_hint = ompt::CallHint::deferred;
  real_task(body, data, nullptr, static_cast<long>(size.size), static_cast<long>(size.alignment), true,
            depend != nullptr ? task_flag_depend : 0, depend, 0, nullptr);
}

/// Data are where they are; but others may depend on the construct.
void data_task(Address pc, unsigned flags, void** depend) {
  if (depend == nullptr) return;
  if ((flags & flag_nowait) != 0)
    make_task(pc, nothing, nullptr, {0, 1}, depend);
  else
    real_wait(depend);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void GOMP_target_ext(int device, GompBody* body, Size count, void** addresses, Size* sizes, MapKind* kinds,
                     unsigned flags, void** depend, void** arguments) {
  if (const auto theirs = of_libgomp(real_target))
    return theirs(device, body, count, addresses, sizes, kinds, flags, depend, arguments);
  const Address pc = caller();
  const Copies size = lay_out(count, sizes, kinds, [](Size, Size) {});
  // On the stack, as libgomp has them.
  const auto room = reinterpret_cast<Address>(__builtin_alloca(size.size + size.alignment));
  auto* const data = reinterpret_cast<std::byte*>(aligned(room, size.alignment));
  auto* const region = new (data) Region{body, count, 1, 0, pc};
  read_league(*region, arguments);
  auto* const items = reinterpret_cast<Item*>(region + 1);
  for (Size i = 0; i < count; ++i) new (items + i) Item{addresses[i], 0};
  lay_out(count, sizes, kinds, [&](Size i, Size offset) {
    if (access::ThreadState* const thread = observed(pc)) reads(*thread, addresses[i], sizes[i], pc);
    std::copy_n(static_cast<const std::byte*>(addresses[i]), sizes[i], data + offset);
    items[i].copy = offset;
  });
  if ((flags & flag_nowait) != 0) return make_task(pc, execute, data, size, depend);
  if (depend != nullptr) real_wait(depend);
  execute(data);
}

void GOMP_target_data_ext(int device, Size count, void** addresses, Size* sizes, MapKind* kinds) {
  if (const auto theirs = of_libgomp(real_data)) theirs(device, count, addresses, sizes, kinds);
}
void GOMP_target_update_ext(int device, Size count, void** addresses, Size* sizes, MapKind* kinds, unsigned flags,
                            void** depend) {
  if (const auto theirs = of_libgomp(real_update)) return theirs(device, count, addresses, sizes, kinds, flags, depend);
  data_task(caller(), flags, depend);
}
void GOMP_target_enter_exit_data(int device, Size count, void** addresses, Size* sizes, MapKind* kinds, unsigned flags,
                                 void** depend) {
  if (const auto theirs = of_libgomp(real_enter_exit))
    return theirs(device, count, addresses, sizes, kinds, flags, depend);
  data_task(caller(), flags, depend);
}

/// Asked before each team that the thread would execute in place of others: each has the thread that asks.
bool GOMP_teams4(unsigned teams_low, unsigned teams_high, unsigned thread_limit, bool first) {
  if (const auto theirs = of_libgomp(real_teams)) return theirs(teams_low, teams_high, thread_limit, first);
  return first;
}

} // extern "C"
#pragma GCC visibility pop

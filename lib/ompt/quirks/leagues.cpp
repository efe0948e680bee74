// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By the runtime's own means: functions of OpenMP 5.1, and for the room, for which there is none, a variable in the
// environment, which is gone again before the program goes on.

#include "lib/ompt/quirks/leagues.hpp"

#include "lib/interpose/real.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace fletcher::ompt {

namespace {

using interpose::Real;
constinit Real<void(int)> set_teams{"omp_set_num_teams"}, set_threads{"omp_set_teams_thread_limit"};

constexpr const char* room = "KMP_TEAMS_THREAD_LIMIT";
constexpr unsigned least_threads = 2; // of a team: nothing races in a team of one
constexpr unsigned least_room = 16;   // threads of a league: a program that asks for eight teams gets teams of two

constinit unsigned teams_to_come = 0;

unsigned processors() noexcept {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? static_cast<unsigned>(CPU_COUNT(&allowed)) : 1;
}

} // namespace

void make_room_for_leagues(std::uint32_t teams) noexcept {
  if (teams == 0) return;
  for (const char* const said : {room, "OMP_NUM_TEAMS", "OMP_TEAMS_THREAD_LIMIT", "OMP_THREAD_LIMIT",
                                 "KMP_DEVICE_THREAD_LIMIT", "KMP_ALL_THREADS", "KMP_MAX_THREADS"})
    if (std::getenv(said) != nullptr) return;
  if (setenv(room, std::to_string(std::max({processors(), teams * least_threads, least_room})).c_str(), 0) == 0)
    teams_to_come = teams;
}

void open_leagues() noexcept {
  if (teams_to_come == 0) return;
  unsetenv(room);
  if (set_teams.get() == nullptr || set_threads.get() == nullptr) return; // a runtime before OpenMP 5.1
  set_teams(static_cast<int>(teams_to_come));
  if (processors() < teams_to_come * least_threads) set_threads(least_threads); // else: the processors are shared
}

} // namespace fletcher::ompt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/process.hpp"

#include "lib/interpose/binding/late_binding.hpp"
#include "lib/interpose/mpi/fortran/fortran.hpp"
#include "lib/interpose/mpi/operations.hpp"
#include "lib/interpose/mpi/ranks/board.hpp"
#include "lib/tool/findings/delivery.hpp"
#include "lib/tool/watcher.hpp"

#include "checker/checker.hpp"
#include "checker/rules/mpi_usage.hpp"

#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <string_view>

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;

namespace {

constinit Function<int(int*, char***)> real_init{"MPI_Init"};
constinit Function<int(int*, char***, int, int*)> real_init_thread{"MPI_Init_thread"};
constinit Function<int()> real_finalize{"MPI_Finalize"};
constinit Function<int(Handle, int)> real_abort{"MPI_Abort"};
constinit fortran::Subroutine<> real_init_fortran{"mpi_init_"}, real_finalize_fortran{"mpi_finalize_"};
constinit fortran::Subroutine<int*, int*> real_init_thread_fortran{"mpi_init_thread_"},
    real_abort_fortran{"mpi_abort_"};
constinit fortran::Subroutine<int*> real_is_main_fortran{"mpi_is_thread_main_"};
constinit Function<int(int*)> real_is_main{"MPI_Is_thread_main"};
constinit Function<int(Handle, Handle, void*)> real_session{"MPI_Session_init"};
constinit Function<int(int*)> is_initialised{"PMPI_Initialized"}, is_finalised{"PMPI_Finalized"},
    is_main{"PMPI_Is_thread_main"}, level{"PMPI_Query_thread"};
constinit Function<int(Handle, int*)> rank_of{"PMPI_Comm_rank"}, size_of_world{"PMPI_Comm_size"};
constinit Function<int(Handle*)> parent_of{"PMPI_Comm_get_parent"};

enum class Life : std::uint8_t { unknown, running, over };
constinit std::atomic<Life> life{Life::unknown};
constinit std::atomic<bool> has_sessions{false}; ///< MPI is used without MPI_Init
constinit std::atomic<int> own_rank{-1};
constinit std::atomic<ThreadSupport> provided{ThreadSupport::multiple};

bool ask(Function<int(int*)>& question) {
  int answer = 0;
  return question(&answer) == success && answer != 0;
}

/// MPI has been initialised, by whomever.
void note_begin() {
  if (abi() == nullptr) return;
  int value = 0;
  if (level(&value) == success && value >= 0 && value <= static_cast<int>(ThreadSupport::multiple))
    provided = static_cast<ThreadSupport>(value);
  const auto world = abi()->world();
  if (world != 0 && rank_of(world, &value) == success) own_rank = value;
  life = Life::running;
  if (int size = 0; world != 0 && size_of_world(world, &size) == success) board::join(own_rank, size);
  if (board::own() == nullptr) return;
  if (Handle parent = 0; parent_of(&parent) == success && abi()->is_communicator(parent)) board::let_others_in();
  tool::watch(); // a call may wait for ever
}

/// In a program that is not instrumented the checker starts with the OpenMP runtime, which may come after many a call.
void start_checker() {
  if (tool::session() == nullptr && !is_behind_program()) tool::start(false);
}

constinit std::atomic<Address> initialised_at{0};
constinit std::atomic<pid_t> initialised_by{0}; ///< not by a child of fork

/// The rules hold from now on.
void begin(Address pc, const char* function) {
  note_begin();
  initialised_at = pc;
  initialised_by = getpid();
  const Call call(pc, function);
}

/// Other ranks may be ended as soon as this one is over with a status of its own: what was found is reported before.
void tell() {
  board::leave();
  if (!in_library() && tool::session() != nullptr && tool::this_thread.inside == 0)
    tool::deliver(tool::Occasion::leaving);
}
void end(Address pc, const char* function) {
  const Call call(pc, function, {}, Call::Type::finalize);
  if (call) operations::completed_attached(call);
  tell();
}

/// It may fail for what it gets of the system, without a mistake in the program.
bool needs_the_system(const char* function) {
  constexpr std::array beginnings{"MPI_Win_create",   "MPI_Win_allocate", "MPI_File_",   "MPI_Comm_spawn",
                                  "MPI_Comm_connect", "MPI_Comm_accept",  "MPI_Finalize"};
  return std::ranges::any_of(
      beginnings, [&](const char* begin) { return strncasecmp(function, begin, std::string_view(begin).size()) == 0; });
}

/// A thread that asks whether it is the main thread calls MPI only where the answer allows it.
void asks() {
  access::ThreadState* const thread = outside_tool();
  if (thread == nullptr || thread->checker == nullptr) return;
  const tool::InsideTool inside;
  thread->checker->asked_thread_number(*thread);
}

} // namespace

namespace fletcher::interpose::mpi::process {

MpiCall rules_of_call() {
  MpiCall call;
  if (has_sessions) return call;
  if (life == Life::unknown && ask(is_initialised)) note_begin();
  if (life == Life::unknown)
    call.phase = MpiCall::Phase::before_init;
  else if (life == Life::over || ask(is_finalised))
    call.phase = MpiCall::Phase::finalized;
  else
    call.on_main_thread = ask(is_main);
  call.provided = provided;
  return call;
}

void tell_failure() noexcept {
  const detail::LastCall call = detail::last_call;
  // Not MPI_Abort, nor what the library asks itself.
  if (!in_library() || call.function == nullptr || detail::function != call.function || needs_the_system(call.function))
    return;
  access::ThreadState* const thread = outside_tool();
  if (thread == nullptr || thread->checker == nullptr) return;
  const tool::InsideTool inside;
  thread->checker->mistaken(*thread, {call.pc,
                                      mpi_function(call.function) +
                                          ", called by {task}, does not return: the MPI library ends the "
                                          "program there, as it does at an error in a call",
                                      "see the MPI library's own message"});
}

void tell_end() noexcept {
  const Address pc = initialised_at;
  if (pc == 0 || initialised_by != getpid() || life != Life::running || ask(is_finalised)) return;
  access::ThreadState* const thread = outside_tool();
  if (thread == nullptr || thread->checker == nullptr) return;
  const tool::InsideTool inside;
  thread->checker->mistaken(*thread, {.pc = pc,
                                      .message = "MPI is initialised here, and the program ends without MPI_Finalize",
                                      .fix = "call MPI_Finalize in each process, after the last call of MPI"});
}

void tell_before_the_end(std::string_view written) noexcept {
  constexpr std::size_t beginning = 16; // the length may come before
  const bool ends = written.substr(0, beginning).find("cmd=abort") != std::string_view::npos;
  if (ends) board::leave();
  if (!ends || tool::session() == nullptr || tool::this_thread.inside != 0) return;
  tell_failure();
  tool::deliver(tool::Occasion::leaving);
}

std::optional<int> rank() noexcept {
  const int known = own_rank;
  return known >= 0 ? std::optional(known) : std::nullopt;
}

} // namespace fletcher::interpose::mpi::process

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] int MPI_Init(int* count, char*** arguments) {
  start_checker();
  const int error = real_init(count, arguments);
  if (error == success) begin(caller(), real_init.name());
  return error;
}
[[gnu::weak]] int MPI_Init_thread(int* count, char*** arguments, int required, int* given) {
  start_checker();
  const int error = real_init_thread(count, arguments, required, given);
  if (error == success) begin(caller(), real_init_thread.name());
  return error;
}
[[gnu::weak]] int MPI_Session_init(Handle info, Handle handler, void* session) {
  has_sessions = true;
  return real_session(info, handler, session);
}
[[gnu::weak]] int MPI_Finalize() {
  end(caller(), real_finalize.name());
  const int error = real_finalize();
  if (error == success) life = Life::over;
  return error;
}
[[gnu::weak]] int MPI_Abort(Handle communicator, int status) {
  tell();
  return real_abort(communicator, status);
}
[[gnu::weak]] int MPI_Is_thread_main(int* answer) {
  const int error = real_is_main(answer);
  asks();
  return error;
}

[[gnu::weak]] void mpi_init_(int* error) {
  start_checker();
  if (real_init_fortran(error) == success) begin(caller(), "MPI_Init");
}
[[gnu::weak]] void mpi_init_thread_(int* required, int* given, int* error) {
  start_checker();
  if (real_init_thread_fortran(required, given, error) == success) begin(caller(), "MPI_Init_thread");
}
[[gnu::weak]] void mpi_finalize_(int* error) {
  end(caller(), "MPI_Finalize");
  if (real_finalize_fortran(error) == success) life = Life::over;
}
[[gnu::weak]] void mpi_abort_(int* communicator, int* status, int* error) {
  tell();
  real_abort_fortran(communicator, status, error);
}
[[gnu::weak]] void mpi_is_thread_main_(int* answer, int* error) {
  real_is_main_fortran(answer, error);
  asks();
}

// The module mpi_f08 of Open MPI.
extern decltype(mpi_init_) mpi_init_f08_ [[gnu::weak, gnu::alias("mpi_init_")]];
extern decltype(mpi_init_thread_) mpi_init_thread_f08_ [[gnu::weak, gnu::alias("mpi_init_thread_")]];
extern decltype(mpi_finalize_) mpi_finalize_f08_ [[gnu::weak, gnu::alias("mpi_finalize_")]];
extern decltype(mpi_abort_) mpi_abort_f08_ [[gnu::weak, gnu::alias("mpi_abort_")]];
extern decltype(mpi_is_thread_main_) mpi_is_thread_main_f08_ [[gnu::weak, gnu::alias("mpi_is_thread_main_")]];

} // extern "C"
#pragma GCC visibility pop

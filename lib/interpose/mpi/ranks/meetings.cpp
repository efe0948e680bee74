// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/ranks/meetings.hpp"

#include "checker/memory/hash.hpp"
#include "checker/memory/spin_lock.hpp"
#include "lib/interpose/mpi/call.hpp"

#include <dlfcn.h>

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>

namespace fletcher::interpose::mpi::meetings {

namespace {

using board::Meeting;
using board::Process;

constexpr std::uint64_t world = 1;

struct Communicator {
  std::uint64_t id = 0, calls = 0;
  Key last = 0;
  bool lost = false; ///< its calls have been told as different: those that follow say nothing new
};
struct Communicators {
  memory::SpinLock lock;
  std::unordered_map<Handle, Communicator> known;
};
Communicators& communicators() {
  static auto* const the = new Communicators; // never destroyed
  return *the;
}

/// C's and Fortran's name of one function are alike.
std::string plain(std::string_view name) {
  std::string out = mpi_function(std::string(name).c_str());
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

void copy(const Meeting& from, Meeting& to) {
  to.place = from.place;
  to.function = from.function;
  to.has_agreement = from.has_agreement;
  to.agreement = from.agreement;
}

/// `f(meeting, rank)` for the same call of other processes, until it says true.
template <class F> void each_other(Key key, F f) {
  const auto all = board::processes();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (static_cast<int>(i) == board::own_rank()) continue;
    Meeting meeting;
    if (board::read(board::at(all[i].meetings, key), key, [&](const Meeting& its) { copy(its, meeting); }) &&
        f(meeting, static_cast<int>(i)))
      return;
  }
}

std::string process(int rank) { return "process " + std::to_string(rank) + " of MPI_COMM_WORLD"; }

void tell(const Call& call, Key key, const Meeting& other, int rank, const std::string& what, const std::string& fix) {
  {
    Communicators& all = communicators();
    const memory::SpinGuard guard(all.lock);
    for (auto& [handle, its] : all.known)
      if (its.last == key) its.lost = true;
  }
  call.mistaken(mpi_function(call.function()) + ", called by {task}, " + what, fix, board::address_of(other.place),
                process(rank) + " calls " + other.function.text.data() + " here");
}

/// What the other one was given differently; empty: nothing.
std::string difference(const board::Agreement& own, const board::Agreement& other) {
  if (own.root >= 0 && other.root >= 0 && own.root != other.root)
    return "names process " + std::to_string(own.root) + " as its root, and another process names " +
           std::to_string(other.root);
  if (own.operation != 0 && other.operation != 0 && own.operation != other.operation)
    return "combines by another operation than another process";
  if (own.bytes >= 0 && other.bytes >= 0 && own.bytes != other.bytes)
    return "is given " + std::to_string(own.bytes) + " bytes, and another process " + std::to_string(other.bytes);
  if (own.elements != 0 && other.elements != 0 && own.elements != other.elements)
    return "is given elements of another type than another process";
  return {};
}

enum Elements : std::uint32_t { unknown, integers, reals };
constinit Function<int(Handle, int*)> size_of_type{"PMPI_Type_size"};
constinit Function<int(Handle, char*, int*)> name_of_type{"PMPI_Type_get_name"};

/// Those of datatypes that MPI itself has.
Elements kind_of(Handle type) {
  using namespace std::string_view_literals;
  constexpr std::size_t most = 512; // MPI_MAX_OBJECT_NAME of any library is less
  std::array<char, most> text{};
  int length = 0;
  if (name_of_type(type, text.data(), &length) != success || length <= 0) return unknown;
  const std::string_view name(text.data());
  for (const auto one : {"MPI_INT"sv, "MPI_LONG"sv, "MPI_LONG_LONG"sv, "MPI_LONG_LONG_INT"sv, "MPI_SHORT"sv,
                         "MPI_UNSIGNED"sv, "MPI_UNSIGNED_LONG"sv, "MPI_INTEGER"sv, "MPI_INT32_T"sv, "MPI_INT64_T"sv})
    if (name == one) return integers;
  for (const auto one : {"MPI_FLOAT"sv, "MPI_DOUBLE"sv, "MPI_LONG_DOUBLE"sv, "MPI_REAL"sv, "MPI_DOUBLE_PRECISION"sv})
    if (name == one) return reals;
  return unknown;
}

} // namespace

Key enter(const Call& call, Handle communicator) {
  Process* const own = board::own();
  if (own == nullptr || abi() == nullptr) return 0;
  const KeptErrno kept;
  const tool::InsideTool inside;
  Key key = 0;
  {
    Communicators& all = communicators();
    const memory::SpinGuard guard(all.lock);
    const Handle handle = abi()->clean(communicator);
    if (handle == abi()->world()) all.known.try_emplace(handle, Communicator{.id = world});
    const auto found = all.known.find(handle);
    if (found == all.known.end()) return 0;
    Communicator& its = found->second;
    its.last = key = memory::mix(its.id, ++its.calls) | 1;
    if (its.lost) return key;
  }
  const board::Place place = board::place_of(call.pc() - 1);
  const board::Name function(call.function());
  board::write(board::at(own->meetings, key), key, [&](Meeting& mine) {
    mine.place = place;
    mine.function = function;
    mine.has_agreement = false;
  });
  const std::string name = plain(call.function());
  each_other(key, [&](const Meeting& other, int rank) {
    if (plain(other.function.text.data()) == name) return false;
    tell(call, key, other, rank,
         "meets " + mpi_function(other.function.text.data()) +
             " of another process: it is the same collective call of this communicator in the order of each process",
         "let all processes of a communicator make its collective calls in one order");
    return true;
  });
  return key;
}

void agree(const Call& call, Key key, const board::Agreement& agreement) {
  Process* const own = board::own();
  if (own == nullptr || key == 0) return;
  const KeptErrno kept;
  const tool::InsideTool inside;
  Meeting& mine = board::at(own->meetings, key);
  if (mine.key.load(std::memory_order_relaxed) != key) return; // told as different
  board::write(mine, key, [&](Meeting& to) {
    to.has_agreement = true;
    to.agreement = agreement;
  });
  const std::string name = plain(call.function());
  each_other(key, [&](const Meeting& other, int rank) {
    if (!other.has_agreement || plain(other.function.text.data()) != name) return false;
    const std::string what = difference(agreement, other.agreement);
    if (what.empty()) return false;
    tell(call, key, other, rank, what, "give it the same in all processes of the communicator");
    return true;
  });
}

void made(Key by, Handle communicator, int part) {
  if (by == 0 || !abi()->is_communicator(communicator)) return;
  const tool::InsideTool inside;
  Communicators& all = communicators();
  const memory::SpinGuard guard(all.lock);
  all.known[abi()->clean(communicator)] = {.id = memory::mix(by, static_cast<std::uint64_t>(part))};
}

void forget(Handle communicator) {
  const tool::InsideTool inside;
  Communicators& all = communicators();
  const memory::SpinGuard guard(all.lock);
  all.known.erase(abi()->clean(communicator));
}

std::uint64_t operation(Handle handle) {
  constexpr Handle kind_bits = 0xff000000, own_kind = 0x58000000;
  if (abi()->is_mpich()) return (handle & kind_bits) == own_kind ? abi()->clean(handle) : 0;
  Dl_info info{};
  if (handle == 0 || dladdr(reinterpret_cast<const void*>(handle), &info) == 0) return 0; // of the program's
  return handle - reinterpret_cast<Handle>(info.dli_fbase);
}

void elements(board::Agreement& agreement, std::int64_t count, Handle type) {
  int size = 0;
  if (count < 0 || size_of_type(type, &size) != success || size < 0) return;
  agreement.bytes = count * size;
  agreement.elements = count == 0 ? unknown : kind_of(type);
}

} // namespace fletcher::interpose::mpi::meetings

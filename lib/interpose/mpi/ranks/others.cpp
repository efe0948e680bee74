// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls by which processes of other worlds may send messages to this one, from C and Fortran (with the lengths of
// strings behind): arguments are passed on as they are.

#include "lib/interpose/mpi/library.hpp"
#include "lib/interpose/mpi/ranks/board.hpp"

#include <utility>

using namespace fletcher::interpose::mpi;

namespace {

using Word = std::uintptr_t;
template <class Indices> struct CallOf;
template <std::size_t... i> struct CallOf<std::index_sequence<i...>> {
  template <std::size_t> using Argument = Word;
  using Type = Function<Word(Argument<i>...)>;
};
template <std::size_t count> using Real = typename CallOf<std::make_index_sequence<count>>::Type;

constinit Real<8> real_spawn{"MPI_Comm_spawn"};
constinit Real<9> real_spawn_multiple{"MPI_Comm_spawn_multiple"};
constinit Real<5> real_accept{"MPI_Comm_accept"}, real_connect{"MPI_Comm_connect"};
constinit Real<2> real_join{"MPI_Comm_join"};
constinit Real<11> real_spawn_fortran{"mpi_comm_spawn_"};
constinit Real<12> real_spawn_multiple_fortran{"mpi_comm_spawn_multiple_"};
constinit Real<7> real_accept_fortran{"mpi_comm_accept_"}, real_connect_fortran{"mpi_comm_connect_"};
constinit Real<3> real_join_fortran{"mpi_comm_join_"};

template <class Real, class... Words> Word meet(Real& real, Words... words) {
  board::let_others_in();
  return real(words...);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] Word MPI_Comm_spawn(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h) {
  return meet(real_spawn, a, b, c, d, e, f, g, h);
}
[[gnu::weak]] Word MPI_Comm_spawn_multiple(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i) {
  return meet(real_spawn_multiple, a, b, c, d, e, f, g, h, i);
}
[[gnu::weak]] Word MPI_Comm_accept(Word a, Word b, Word c, Word d, Word e) { return meet(real_accept, a, b, c, d, e); }
[[gnu::weak]] Word MPI_Comm_connect(Word a, Word b, Word c, Word d, Word e) {
  return meet(real_connect, a, b, c, d, e);
}
[[gnu::weak]] Word MPI_Comm_join(Word a, Word b) { return meet(real_join, a, b); }

[[gnu::weak]] Word mpi_comm_spawn_(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j,
                                   Word k) {
  return meet(real_spawn_fortran, a, b, c, d, e, f, g, h, i, j, k);
}
[[gnu::weak]] Word mpi_comm_spawn_multiple_(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i,
                                            Word j, Word k, Word l) {
  return meet(real_spawn_multiple_fortran, a, b, c, d, e, f, g, h, i, j, k, l);
}
[[gnu::weak]] Word mpi_comm_accept_(Word a, Word b, Word c, Word d, Word e, Word f, Word g) {
  return meet(real_accept_fortran, a, b, c, d, e, f, g);
}
[[gnu::weak]] Word mpi_comm_connect_(Word a, Word b, Word c, Word d, Word e, Word f, Word g) {
  return meet(real_connect_fortran, a, b, c, d, e, f, g);
}
[[gnu::weak]] Word mpi_comm_join_(Word a, Word b, Word c) { return meet(real_join_fortran, a, b, c); }

} // extern "C"
#pragma GCC visibility pop

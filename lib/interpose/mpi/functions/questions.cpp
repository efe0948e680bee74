// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that only ask MPI for something: where they store the answer. Which thread asks does not matter, but MPI
// has to be initialised.

#include "lib/interpose/mpi/call.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;

namespace {

constinit Function<int(Handle, int*)> real_rank{"MPI_Comm_rank"}, real_size{"MPI_Comm_size"},
    real_remote_size{"MPI_Comm_remote_size"}, real_group_rank{"MPI_Group_rank"}, real_group_size{"MPI_Group_size"},
    real_type_size{"MPI_Type_size"};
constinit Function<int(const void*, Handle, int*)> real_count{"MPI_Get_count"}, real_elements{"MPI_Get_elements"};
constinit Function<int(const void*, int*)> real_cancelled{"MPI_Test_cancelled"};
constinit Function<int(char*, int*)> real_name{"MPI_Get_processor_name"};
constinit Function<int(Handle, int, int, int*)> real_coordinates{"MPI_Cart_coords"};
constinit Function<int(Handle, const int*, int*)> real_cart_rank{"MPI_Cart_rank"};
constinit Function<int(Handle, int, int, int*, int*)> real_shift{"MPI_Cart_shift"};

struct Question : Call {
  [[gnu::always_inline]] Question(Address pc, const char* function) : Call(pc, function, {}, Type::question) {}
};

int number(Function<int(Handle, int*)>& real, const Question& call, Handle object, int* answer) {
  const int error = real(object, answer);
  if (error == success) call.writes(answer, sizeof *answer);
  return error;
}
int of_status(Function<int(const void*, Handle, int*)>& real, const Question& call, const void* status, Handle type,
              int* answer) {
  if (call) call.reads(status, abi()->status_size());
  const int error = real(status, type, answer);
  if (error == success) call.writes(answer, sizeof *answer);
  return error;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] int MPI_Comm_rank(Handle on, int* rank) {
  return number(real_rank, {caller(), real_rank.name()}, on, rank);
}
[[gnu::weak]] int MPI_Comm_size(Handle on, int* size) {
  return number(real_size, {caller(), real_size.name()}, on, size);
}
[[gnu::weak]] int MPI_Comm_remote_size(Handle on, int* size) {
  return number(real_remote_size, {caller(), real_remote_size.name()}, on, size);
}
[[gnu::weak]] int MPI_Group_rank(Handle group, int* rank) {
  return number(real_group_rank, {caller(), real_group_rank.name()}, group, rank);
}
[[gnu::weak]] int MPI_Group_size(Handle group, int* size) {
  return number(real_group_size, {caller(), real_group_size.name()}, group, size);
}
[[gnu::weak]] int MPI_Type_size(Handle type, int* size) {
  return number(real_type_size, {caller(), real_type_size.name()}, type, size);
}
[[gnu::weak]] int MPI_Get_count(const void* status, Handle type, int* count) {
  return of_status(real_count, {caller(), real_count.name()}, status, type, count);
}
[[gnu::weak]] int MPI_Get_elements(const void* status, Handle type, int* count) {
  return of_status(real_elements, {caller(), real_elements.name()}, status, type, count);
}
[[gnu::weak]] int MPI_Test_cancelled(const void* status, int* flag) {
  const Question call(caller(), real_cancelled.name());
  if (call) call.reads(status, abi()->status_size());
  const int error = real_cancelled(status, flag);
  if (error == success) call.writes(flag, sizeof *flag);
  return error;
}
[[gnu::weak]] int MPI_Get_processor_name(char* name, int* length) {
  const Question call(caller(), real_name.name());
  const int error = real_name(name, length);
  if (error != success) return error;
  call.writes(length, sizeof *length);
  if (*length >= 0) call.writes(name, static_cast<std::size_t>(*length) + 1);
  return error;
}
[[gnu::weak]] int MPI_Cart_coords(Handle on, int rank, int most, int* coordinates) {
  const Question call(caller(), real_coordinates.name());
  const int error = real_coordinates(on, rank, most, coordinates);
  if (error == success && most > 0) call.writes(coordinates, sizeof *coordinates);
  return error;
}
[[gnu::weak]] int MPI_Cart_rank(Handle on, const int* coordinates, int* rank) {
  const Question call(caller(), real_cart_rank.name());
  const int error = real_cart_rank(on, coordinates, rank);
  if (error == success) call.writes(rank, sizeof *rank);
  return error;
}
[[gnu::weak]] int MPI_Cart_shift(Handle on, int dimension, int steps, int* from, int* to) {
  const Question call(caller(), real_shift.name());
  const int error = real_shift(on, dimension, steps, from, to);
  if (error != success) return error;
  call.writes(from, sizeof *from);
  call.writes(to, sizeof *to);
  return error;
}

} // extern "C"
#pragma GCC visibility pop

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What makes and frees communicators, windows and datatypes, from Fortran.

#include "lib/interpose/mpi/fortran/fortran.hpp"
#include "lib/interpose/mpi/objects.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;
using namespace fletcher::interpose::mpi::fortran;

namespace {

using Argument = void*; ///< which is passed on
/// What makes an object of so many other arguments.
template <class... Others> using Maker = Subroutine<Others..., int*>;
constinit Maker<Argument> real_comm_dup{"mpi_comm_dup_"}, real_comm_group{"mpi_comm_group_"};
constinit Maker<Argument, Argument> real_comm_dup_with_info{"mpi_comm_dup_with_info_"},
    real_comm_create{"mpi_comm_create_"}, real_cart_sub{"mpi_cart_sub_"}, real_intercomm_merge{"mpi_intercomm_merge_"},
    real_win_create_dynamic{"mpi_win_create_dynamic_"}, real_type_contiguous{"mpi_type_contiguous_"};
constinit Maker<Argument, Argument, Argument> real_comm_split{"mpi_comm_split_"},
    real_type_create_resized{"mpi_type_create_resized_"};
constinit Maker<Argument, Argument, Argument, Argument> real_comm_split_type{"mpi_comm_split_type_"},
    real_type_vector{"mpi_type_vector_"}, real_type_create_hvector{"mpi_type_create_hvector_"},
    real_type_indexed{"mpi_type_indexed_"}, real_type_create_hindexed{"mpi_type_create_hindexed_"},
    real_type_create_struct{"mpi_type_create_struct_"};
constinit Maker<Argument, Argument, Argument, Argument, Argument> real_cart_create{"mpi_cart_create_"},
    real_intercomm_create{"mpi_intercomm_create_"}, real_win_create{"mpi_win_create_"},
    real_win_allocate{"mpi_win_allocate_"}, real_win_allocate_cptr{"mpi_win_allocate_cptr_"},
    real_win_allocate_shared{"mpi_win_allocate_shared_"},
    real_win_allocate_shared_cptr{"mpi_win_allocate_shared_cptr_"};
constinit Maker<Argument, Argument, Argument, Argument, Argument, Argument> real_type_create_subarray{
    "mpi_type_create_subarray_"};
constinit Subroutine<int*> real_type_commit{"mpi_type_commit_"}, real_type_free{"mpi_type_free_"},
    real_group_free{"mpi_group_free_"}, real_op_free{"mpi_op_free_"}, real_info_create{"mpi_info_create_"},
    real_info_free{"mpi_info_free_"}, real_comm_free{"mpi_comm_free_"}, real_comm_disconnect{"mpi_comm_disconnect_"};

/// `on`: the communicator of a collective operation; null: it is none.
template <class... Others>
void make(Maker<Others...>& real, Address pc, const void* on, int* made, int* error, Others... others) {
  const Handle communicator = on == nullptr ? 0 : communicator_if_checked(static_cast<const int*>(on));
  const Call call = call_to(pc, real.name(), error, {collective(communicator)});
  if (real(others..., made, error) == success && call) call.writes(made, sizeof *made);
}
/// The same for a communicator. `part`: of several that one call makes.
template <class... Others>
void make_communicator(Maker<Others...>& real, Address pc, const void* on, int part, int* made, int* error,
                       Others... others) {
  const Handle old = communicator_if_checked(static_cast<const int*>(on));
  const Call call = call_to(pc, real.name(), error, {collective(old)});
  if (real(others..., made, error) != success || !call) return;
  call.writes(made, sizeof *made);
  meetings::made(call.meeting(), communicator(made), part);
}

void change(Subroutine<int*>& real, Address pc, int* variable, int* error) {
  const Call call = call_to(pc, real.name(), error);
  if (call) call.writes(variable, sizeof *variable);
  real(variable, error);
}

void end_communicator(Subroutine<int*>& real, Address pc, int* variable, int* error) {
  const Handle handle = communicator_if_checked(variable);
  const Call call = call_to(pc, real.name(), error, {collective(handle)});
  if (call) {
    objects::forget_communicator(handle); // before another thread may get the handle
    call.writes(variable, sizeof *variable);
  }
  real(variable, error);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] void mpi_comm_dup_(Argument on, int* made, int* error) {
  make_communicator(real_comm_dup, caller(), on, 0, made, error, on);
}
[[gnu::weak]] void mpi_comm_dup_with_info_(Argument on, Argument hints, int* made, int* error) {
  make_communicator(real_comm_dup_with_info, caller(), on, 0, made, error, on, hints);
}
[[gnu::weak]] void mpi_comm_create_(Argument on, Argument group, int* made, int* error) {
  make(real_comm_create, caller(), on, made, error, on, group);
}
[[gnu::weak]] void mpi_comm_split_(Argument on, Argument color, Argument key, int* made, int* error) {
  make_communicator(real_comm_split, caller(), on, *static_cast<const int*>(color), made, error, on, color, key);
}
[[gnu::weak]] void mpi_comm_split_type_(Argument on, Argument type, Argument key, Argument hints, int* made,
                                        int* error) {
  make(real_comm_split_type, caller(), on, made, error, on, type, key, hints);
}
[[gnu::weak]] void mpi_cart_create_(Argument on, Argument count, Argument sizes, Argument periods, Argument reorder,
                                    int* made, int* error) {
  make_communicator(real_cart_create, caller(), on, 0, made, error, on, count, sizes, periods, reorder);
}
[[gnu::weak]] void mpi_cart_sub_(Argument on, Argument kept, int* made, int* error) {
  make(real_cart_sub, caller(), on, made, error, on, kept);
}
[[gnu::weak]] void mpi_intercomm_create_(Argument on, Argument leader, Argument peers, Argument remote, Argument tag,
                                         int* made, int* error) {
  make(real_intercomm_create, caller(), on, made, error, on, leader, peers, remote, tag);
}
[[gnu::weak]] void mpi_intercomm_merge_(Argument on, Argument high, int* made, int* error) {
  make(real_intercomm_merge, caller(), on, made, error, on, high);
}
[[gnu::weak]] void mpi_win_create_(Argument base, Argument size, Argument unit, Argument hints, Argument on, int* made,
                                   int* error) {
  make(real_win_create, caller(), on, made, error, base, size, unit, hints, on);
}
[[gnu::weak]] void mpi_win_allocate_(Argument size, Argument unit, Argument hints, Argument on, Argument base,
                                     int* made, int* error) {
  make(real_win_allocate, caller(), on, made, error, size, unit, hints, on, base);
}
[[gnu::weak]] void mpi_win_allocate_cptr_(Argument size, Argument unit, Argument hints, Argument on, Argument base,
                                          int* made, int* error) {
  make(real_win_allocate_cptr, caller(), on, made, error, size, unit, hints, on, base);
}
[[gnu::weak]] void mpi_win_allocate_shared_(Argument size, Argument unit, Argument hints, Argument on, Argument base,
                                            int* made, int* error) {
  make(real_win_allocate_shared, caller(), on, made, error, size, unit, hints, on, base);
}
[[gnu::weak]] void mpi_win_allocate_shared_cptr_(Argument size, Argument unit, Argument hints, Argument on,
                                                 Argument base, int* made, int* error) {
  make(real_win_allocate_shared_cptr, caller(), on, made, error, size, unit, hints, on, base);
}
[[gnu::weak]] void mpi_win_create_dynamic_(Argument hints, Argument on, int* made, int* error) {
  make(real_win_create_dynamic, caller(), on, made, error, hints, on);
}
[[gnu::weak]] void mpi_type_contiguous_(Argument count, Argument type, int* made, int* error) {
  make(real_type_contiguous, caller(), nullptr, made, error, count, type);
}
[[gnu::weak]] void mpi_type_vector_(Argument count, Argument length, Argument stride, Argument type, int* made,
                                    int* error) {
  make(real_type_vector, caller(), nullptr, made, error, count, length, stride, type);
}
[[gnu::weak]] void mpi_type_create_hvector_(Argument count, Argument length, Argument stride, Argument type, int* made,
                                            int* error) {
  make(real_type_create_hvector, caller(), nullptr, made, error, count, length, stride, type);
}
[[gnu::weak]] void mpi_type_indexed_(Argument count, Argument lengths, Argument places, Argument type, int* made,
                                     int* error) {
  make(real_type_indexed, caller(), nullptr, made, error, count, lengths, places, type);
}
[[gnu::weak]] void mpi_type_create_hindexed_(Argument count, Argument lengths, Argument places, Argument type,
                                             int* made, int* error) {
  make(real_type_create_hindexed, caller(), nullptr, made, error, count, lengths, places, type);
}
[[gnu::weak]] void mpi_type_create_struct_(Argument count, Argument lengths, Argument places, Argument types, int* made,
                                           int* error) {
  make(real_type_create_struct, caller(), nullptr, made, error, count, lengths, places, types);
}
[[gnu::weak]] void mpi_type_create_subarray_(Argument count, Argument sizes, Argument parts, Argument first,
                                             Argument order, Argument type, int* made, int* error) {
  make(real_type_create_subarray, caller(), nullptr, made, error, count, sizes, parts, first, order, type);
}
[[gnu::weak]] void mpi_type_create_resized_(Argument type, Argument bound, Argument extent, int* made, int* error) {
  make(real_type_create_resized, caller(), nullptr, made, error, type, bound, extent);
}
[[gnu::weak]] void mpi_comm_group_(Argument on, int* made, int* error) {
  make(real_comm_group, caller(), nullptr, made, error, on);
}
[[gnu::weak]] void mpi_type_commit_(int* variable, int* error) { change(real_type_commit, caller(), variable, error); }
[[gnu::weak]] void mpi_type_free_(int* variable, int* error) { change(real_type_free, caller(), variable, error); }
[[gnu::weak]] void mpi_group_free_(int* variable, int* error) { change(real_group_free, caller(), variable, error); }
[[gnu::weak]] void mpi_op_free_(int* variable, int* error) { change(real_op_free, caller(), variable, error); }
[[gnu::weak]] void mpi_info_create_(int* variable, int* error) { change(real_info_create, caller(), variable, error); }
[[gnu::weak]] void mpi_info_free_(int* variable, int* error) { change(real_info_free, caller(), variable, error); }
[[gnu::weak]] void mpi_comm_free_(int* variable, int* error) {
  end_communicator(real_comm_free, caller(), variable, error);
}
[[gnu::weak]] void mpi_comm_disconnect_(int* variable, int* error) {
  end_communicator(real_comm_disconnect, caller(), variable, error);
}

// The module mpi_f08 of Open MPI.
extern decltype(mpi_comm_dup_) mpi_comm_dup_f08_ [[gnu::weak, gnu::alias("mpi_comm_dup_")]];
extern decltype(mpi_comm_dup_with_info_) mpi_comm_dup_with_info_f08_
    [[gnu::weak, gnu::alias("mpi_comm_dup_with_info_")]];
extern decltype(mpi_comm_create_) mpi_comm_create_f08_ [[gnu::weak, gnu::alias("mpi_comm_create_")]];
extern decltype(mpi_comm_split_) mpi_comm_split_f08_ [[gnu::weak, gnu::alias("mpi_comm_split_")]];
extern decltype(mpi_comm_split_type_) mpi_comm_split_type_f08_ [[gnu::weak, gnu::alias("mpi_comm_split_type_")]];
extern decltype(mpi_cart_create_) mpi_cart_create_f08_ [[gnu::weak, gnu::alias("mpi_cart_create_")]];
extern decltype(mpi_cart_sub_) mpi_cart_sub_f08_ [[gnu::weak, gnu::alias("mpi_cart_sub_")]];
extern decltype(mpi_intercomm_create_) mpi_intercomm_create_f08_ [[gnu::weak, gnu::alias("mpi_intercomm_create_")]];
extern decltype(mpi_intercomm_merge_) mpi_intercomm_merge_f08_ [[gnu::weak, gnu::alias("mpi_intercomm_merge_")]];
extern decltype(mpi_win_create_) mpi_win_create_f08_ [[gnu::weak, gnu::alias("mpi_win_create_")]];
extern decltype(mpi_win_allocate_) mpi_win_allocate_f08_ [[gnu::weak, gnu::alias("mpi_win_allocate_")]];
extern decltype(mpi_win_allocate_shared_) mpi_win_allocate_shared_f08_
    [[gnu::weak, gnu::alias("mpi_win_allocate_shared_")]];
extern decltype(mpi_win_create_dynamic_) mpi_win_create_dynamic_f08_
    [[gnu::weak, gnu::alias("mpi_win_create_dynamic_")]];
extern decltype(mpi_type_contiguous_) mpi_type_contiguous_f08_ [[gnu::weak, gnu::alias("mpi_type_contiguous_")]];
extern decltype(mpi_type_vector_) mpi_type_vector_f08_ [[gnu::weak, gnu::alias("mpi_type_vector_")]];
extern decltype(mpi_type_create_hvector_) mpi_type_create_hvector_f08_
    [[gnu::weak, gnu::alias("mpi_type_create_hvector_")]];
extern decltype(mpi_type_indexed_) mpi_type_indexed_f08_ [[gnu::weak, gnu::alias("mpi_type_indexed_")]];
extern decltype(mpi_type_create_hindexed_) mpi_type_create_hindexed_f08_
    [[gnu::weak, gnu::alias("mpi_type_create_hindexed_")]];
extern decltype(mpi_type_create_struct_) mpi_type_create_struct_f08_
    [[gnu::weak, gnu::alias("mpi_type_create_struct_")]];
extern decltype(mpi_type_create_subarray_) mpi_type_create_subarray_f08_
    [[gnu::weak, gnu::alias("mpi_type_create_subarray_")]];
extern decltype(mpi_type_create_resized_) mpi_type_create_resized_f08_
    [[gnu::weak, gnu::alias("mpi_type_create_resized_")]];
extern decltype(mpi_comm_group_) mpi_comm_group_f08_ [[gnu::weak, gnu::alias("mpi_comm_group_")]];
extern decltype(mpi_type_commit_) mpi_type_commit_f08_ [[gnu::weak, gnu::alias("mpi_type_commit_")]];
extern decltype(mpi_type_free_) mpi_type_free_f08_ [[gnu::weak, gnu::alias("mpi_type_free_")]];
extern decltype(mpi_group_free_) mpi_group_free_f08_ [[gnu::weak, gnu::alias("mpi_group_free_")]];
extern decltype(mpi_op_free_) mpi_op_free_f08_ [[gnu::weak, gnu::alias("mpi_op_free_")]];
extern decltype(mpi_info_create_) mpi_info_create_f08_ [[gnu::weak, gnu::alias("mpi_info_create_")]];
extern decltype(mpi_info_free_) mpi_info_free_f08_ [[gnu::weak, gnu::alias("mpi_info_free_")]];
extern decltype(mpi_comm_free_) mpi_comm_free_f08_ [[gnu::weak, gnu::alias("mpi_comm_free_")]];
extern decltype(mpi_comm_disconnect_) mpi_comm_disconnect_f08_ [[gnu::weak, gnu::alias("mpi_comm_disconnect_")]];

} // extern "C"
#pragma GCC visibility pop

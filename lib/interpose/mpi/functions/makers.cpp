// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What makes and frees communicators, windows, datatypes and info objects: most are collective operations on a
// communicator, and all store a handle. Info objects are for one thread at a time.

#include "lib/interpose/mpi/call.hpp"
#include "lib/interpose/mpi/objects.hpp"
#include "lib/interpose/mpi/windows.hpp"

#include <utility>

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;

namespace {

/// An argument that is passed on: a handle, a number or a pointer takes a register or a word of the stack.
using Word = std::uintptr_t;
template <class Indices> struct MakerOf;
template <std::size_t... i> struct MakerOf<std::index_sequence<i...>> {
  template <std::size_t> using Argument = Word;
  using Type = Function<int(Argument<i>..., void*)>;
};
/// A function of so many arguments, the last of which says where the new handle goes.
template <std::size_t count> using Maker = typename MakerOf<std::make_index_sequence<count - 1>>::Type;

constinit Maker<2> real_dup{"MPI_Comm_dup"}, real_info_dup{"MPI_Info_dup"}, real_group{"MPI_Comm_group"};
constinit Maker<3> real_dup_with_info{"MPI_Comm_dup_with_info"}, real_create{"MPI_Comm_create"},
    real_merge{"MPI_Intercomm_merge"}, real_cart_sub{"MPI_Cart_sub"}, real_dynamic{"MPI_Win_create_dynamic"},
    real_contiguous{"MPI_Type_contiguous"}, real_op{"MPI_Op_create"};
constinit Maker<4> real_split{"MPI_Comm_split"}, real_resized{"MPI_Type_create_resized"};
constinit Maker<5> real_split_type{"MPI_Comm_split_type"}, real_vector{"MPI_Type_vector"},
    real_hvector{"MPI_Type_create_hvector"}, real_indexed{"MPI_Type_indexed"},
    real_hindexed{"MPI_Type_create_hindexed"}, real_struct{"MPI_Type_create_struct"}, real_file_open{"MPI_File_open"};
constinit Maker<6> real_cart{"MPI_Cart_create"}, real_inter{"MPI_Intercomm_create"}, real_window{"MPI_Win_create"},
    real_allocate{"MPI_Win_allocate"}, real_allocate_shared{"MPI_Win_allocate_shared"};
constinit Maker<7> real_subarray{"MPI_Type_create_subarray"};
constinit Function<int(void*)> real_comm_free{"MPI_Comm_free"}, real_disconnect{"MPI_Comm_disconnect"},
    real_type_free{"MPI_Type_free"}, real_commit{"MPI_Type_commit"}, real_op_free{"MPI_Op_free"},
    real_group_free{"MPI_Group_free"}, real_info_create{"MPI_Info_create"}, real_info_free{"MPI_Info_free"};
constinit Function<int(Handle, const char*, const char*)> real_set{"MPI_Info_set"};
constinit Function<int(Handle, const char*)> real_delete{"MPI_Info_delete"};
constinit Function<int(Handle, const char*, int, char*, int*)> real_get{"MPI_Info_get"};
constinit Function<int(Handle, int*)> real_keys{"MPI_Info_get_nkeys"};
constinit Function<int(Handle, int, char*)> real_key{"MPI_Info_get_nthkey"};
constinit Function<int(Handle, const char*, int*, int*)> real_value_length{"MPI_Info_get_valuelen"};

/// `on`: the communicator of a collective operation, else 0. The new handle's place comes last.
template <class Real, class... Arguments>
int make(Real& real, Address pc, Handle on, void* made, Arguments... arguments) {
  const Call call(pc, real.name(), {collective(on)});
  const int error = real(arguments..., made);
  if (call && error == success) call.writes(made, abi()->handle_size());
  return error;
}

/// The same for a communicator. `part`: of several that one call makes.
template <class Real, class... Arguments>
int make_communicator(Real& real, Address pc, Handle on, int part, void* made, Arguments... arguments) {
  const Call call(pc, real.name(), {collective(on)});
  const int error = real(arguments..., made);
  if (!call || error != success) return error;
  call.writes(made, abi()->handle_size());
  meetings::made(call.meeting(), abi()->handle_at(made, 0), part);
  return error;
}

/// The same for a window. `base()`: where the process's own part of it is.
template <class Real, class Base, class... Arguments>
int make_window(Real& real, Address pc, Handle on, void* made, Base base, Word unit, Arguments... arguments) {
  const Call call(pc, real.name(), {collective(on)});
  const int error = real(arguments..., made);
  if (!call || error != success) return error;
  call.writes(made, abi()->handle_size());
  windows::made(abi()->handle_at(made, 0), reinterpret_cast<const void*>(base()), static_cast<int>(unit), on,
                call.meeting());
  return error;
}
/// The base that was stored where the argument points to.
Word stored(Word base) { return *reinterpret_cast<const Word*>(base); }

/// Changes the handle in the variable. `before(call, handle)` comes before another thread may get the same handle.
template <class Before> int change(Function<int(void*)>& real, const Call& call, void* variable, Before before) {
  if (call) {
    before(abi()->handle_at(variable, 0));
    call.writes(variable, abi()->handle_size());
  }
  return real(variable);
}
int change(Function<int(void*)>& real, Address pc, void* variable) {
  return change(real, Call(pc, real.name()), variable, [](Handle) {});
}

Handle handle_in(const void* variable) { return abi() == nullptr ? 0 : abi()->handle_at(variable, 0); }

int end_communicator(Function<int(void*)>& real, Address pc, void* communicator) {
  return change(real, Call(pc, real.name(), {collective(handle_in(communicator))}), communicator,
                [](Handle handle) { objects::forget_communicator(handle); });
}

ObjectUse info(Handle object, access::Kind kind) { return {MpiUse::Of::info, object, kind}; }

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] int MPI_Comm_dup(Word on, void* made) { return make_communicator(real_dup, caller(), on, 0, made, on); }
[[gnu::weak]] int MPI_Comm_dup_with_info(Word on, Word hints, void* made) {
  return make_communicator(real_dup_with_info, caller(), on, 0, made, on, hints);
}
[[gnu::weak]] int MPI_Comm_create(Word on, Word group, void* made) {
  return make(real_create, caller(), on, made, on, group);
}
[[gnu::weak]] int MPI_Comm_split(Word on, Word color, Word key, void* made) {
  return make_communicator(real_split, caller(), on, static_cast<int>(color), made, on, color, key);
}
[[gnu::weak]] int MPI_Comm_split_type(Word on, Word type, Word key, Word hints, void* made) {
  return make(real_split_type, caller(), on, made, on, type, key, hints);
}
[[gnu::weak]] int MPI_Cart_create(Word on, Word count, Word sizes, Word periods, Word reorder, void* made) {
  return make_communicator(real_cart, caller(), on, 0, made, on, count, sizes, periods, reorder);
}
[[gnu::weak]] int MPI_Cart_sub(Word on, Word kept, void* made) {
  return make(real_cart_sub, caller(), on, made, on, kept);
}
[[gnu::weak]] int MPI_Intercomm_create(Word on, Word leader, Word peers, Word remote, Word tag, void* made) {
  return make(real_inter, caller(), on, made, on, leader, peers, remote, tag);
}
[[gnu::weak]] int MPI_Intercomm_merge(Word on, Word high, void* made) {
  return make(real_merge, caller(), on, made, on, high);
}
[[gnu::weak]] int MPI_Comm_free(void* communicator) { return end_communicator(real_comm_free, caller(), communicator); }
[[gnu::weak]] int MPI_Comm_disconnect(void* communicator) {
  return end_communicator(real_disconnect, caller(), communicator);
}

[[gnu::weak]] int MPI_Win_create(Word base, Word size, Word unit, Word hints, Word on, void* made) {
  return make_window(real_window, caller(), on, made, [&] { return base; }, unit, base, size, unit, hints, on);
}
[[gnu::weak]] int MPI_Win_allocate(Word size, Word unit, Word hints, Word on, Word base, void* made) {
  return make_window(
      real_allocate, caller(), on, made, [&] { return stored(base); }, unit, size, unit, hints, on, base);
}
[[gnu::weak]] int MPI_Win_allocate_shared(Word size, Word unit, Word hints, Word on, Word base, void* made) {
  return make_window(
      real_allocate_shared, caller(), on, made, [&] { return stored(base); }, unit, size, unit, hints, on, base);
}
[[gnu::weak]] int MPI_Win_create_dynamic(Word hints, Word on, void* made) {
  return make_window(
      real_dynamic, caller(), on, made, [] { return Word{0}; }, 1, hints, on); // displacements are addresses
}
[[gnu::weak]] int MPI_File_open(Word on, Word name, Word mode, Word hints, void* made) {
  return make(real_file_open, caller(), on, made, on, name, mode, hints);
}

[[gnu::weak]] int MPI_Type_contiguous(Word count, Word type, void* made) {
  return make(real_contiguous, caller(), 0, made, count, type);
}
[[gnu::weak]] int MPI_Type_vector(Word count, Word length, Word stride, Word type, void* made) {
  return make(real_vector, caller(), 0, made, count, length, stride, type);
}
[[gnu::weak]] int MPI_Type_create_hvector(Word count, Word length, Word stride, Word type, void* made) {
  return make(real_hvector, caller(), 0, made, count, length, stride, type);
}
[[gnu::weak]] int MPI_Type_indexed(Word count, Word lengths, Word places, Word type, void* made) {
  return make(real_indexed, caller(), 0, made, count, lengths, places, type);
}
[[gnu::weak]] int MPI_Type_create_hindexed(Word count, Word lengths, Word places, Word type, void* made) {
  return make(real_hindexed, caller(), 0, made, count, lengths, places, type);
}
[[gnu::weak]] int MPI_Type_create_struct(Word count, Word lengths, Word places, Word types, void* made) {
  return make(real_struct, caller(), 0, made, count, lengths, places, types);
}
[[gnu::weak]] int MPI_Type_create_subarray(Word count, Word sizes, Word parts, Word first, Word order, Word type,
                                           void* made) {
  return make(real_subarray, caller(), 0, made, count, sizes, parts, first, order, type);
}
[[gnu::weak]] int MPI_Type_create_resized(Word type, Word bound, Word extent, void* made) {
  return make(real_resized, caller(), 0, made, type, bound, extent);
}
[[gnu::weak]] int MPI_Type_commit(void* type) { return change(real_commit, caller(), type); }
[[gnu::weak]] int MPI_Type_free(void* type) { return change(real_type_free, caller(), type); }
[[gnu::weak]] int MPI_Op_create(Word function, Word commutes, void* made) {
  return make(real_op, caller(), 0, made, function, commutes);
}
[[gnu::weak]] int MPI_Op_free(void* operation) { return change(real_op_free, caller(), operation); }
[[gnu::weak]] int MPI_Comm_group(Word on, void* made) { return make(real_group, caller(), 0, made, on); }
[[gnu::weak]] int MPI_Group_free(void* group) { return change(real_group_free, caller(), group); }

[[gnu::weak]] int MPI_Info_create(void* made) { return change(real_info_create, caller(), made); }
[[gnu::weak]] int MPI_Info_free(void* variable) {
  const Call call(caller(), real_info_free.name(), {info(handle_in(variable), access::Kind::write)});
  return change(real_info_free, call, variable, [](Handle handle) { objects::forget(MpiUse::Of::info, handle); });
}
[[gnu::weak]] int MPI_Info_dup(Word old, void* made) {
  const Call call(caller(), real_info_dup.name(), {info(old, access::Kind::read)});
  const int error = real_info_dup(old, made);
  if (call && error == success) call.writes(made, abi()->handle_size());
  return error;
}
[[gnu::weak]] int MPI_Info_set(Handle object, const char* key, const char* value) {
  const Call call(caller(), real_set.name(), {info(object, access::Kind::write)});
  return real_set(object, key, value);
}
[[gnu::weak]] int MPI_Info_delete(Handle object, const char* key) {
  const Call call(caller(), real_delete.name(), {info(object, access::Kind::write)});
  return real_delete(object, key);
}
[[gnu::weak]] int MPI_Info_get(Handle object, const char* key, int room, char* value, int* flag) {
  const Call call(caller(), real_get.name(), {info(object, access::Kind::read)});
  const int error = real_get(object, key, room, value, flag);
  call.writes(flag, sizeof *flag);
  return error;
}
[[gnu::weak]] int MPI_Info_get_nkeys(Handle object, int* count) {
  const Call call(caller(), real_keys.name(), {info(object, access::Kind::read)});
  const int error = real_keys(object, count);
  call.writes(count, sizeof *count);
  return error;
}
[[gnu::weak]] int MPI_Info_get_nthkey(Handle object, int index, char* key) {
  const Call call(caller(), real_key.name(), {info(object, access::Kind::read)});
  return real_key(object, index, key);
}
[[gnu::weak]] int MPI_Info_get_valuelen(Handle object, const char* key, int* length, int* flag) {
  const Call call(caller(), real_value_length.name(), {info(object, access::Kind::read)});
  const int error = real_value_length(object, key, length, flag);
  call.writes(flag, sizeof *flag);
  return error;
}

} // extern "C"
#pragma GCC visibility pop

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files: what is written to one is read from memory, and what is read from it is written there. Those whose name ends
// with "all" are collective operations on the file.

#include "lib/interpose/mpi/objects.hpp"
#include "lib/interpose/mpi/transfers.hpp"
#include "lib/interpose/mpi/uses/message_uses.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;

namespace {

using Write = int(Handle, const void*, int, Handle, void*);
using WriteAt = int(Handle, std::int64_t, const void*, int, Handle, void*);
using Read = int(Handle, void*, int, Handle, void*);
using ReadAt = int(Handle, std::int64_t, void*, int, Handle, void*);

constinit Function<Write> real_write{"MPI_File_write"}, real_write_all{"MPI_File_write_all"},
    real_write_shared{"MPI_File_write_shared"}, real_iwrite{"MPI_File_iwrite"}, real_iwrite_all{"MPI_File_iwrite_all"};
constinit Function<WriteAt> real_write_at{"MPI_File_write_at"}, real_write_at_all{"MPI_File_write_at_all"},
    real_iwrite_at{"MPI_File_iwrite_at"}, real_iwrite_at_all{"MPI_File_iwrite_at_all"};
constinit Function<Read> real_read{"MPI_File_read"}, real_read_all{"MPI_File_read_all"},
    real_read_shared{"MPI_File_read_shared"}, real_iread{"MPI_File_iread"}, real_iread_all{"MPI_File_iread_all"};
constinit Function<ReadAt> real_read_at{"MPI_File_read_at"}, real_read_at_all{"MPI_File_read_at_all"},
    real_iread_at{"MPI_File_iread_at"}, real_iread_at_all{"MPI_File_iread_at_all"};
constinit Function<int(void*)> real_close{"MPI_File_close"};

/// A collective operation on the file. (Its handle is a pointer, whatever the kind of library.)
constexpr ObjectUse on_file(Handle file) { return {MpiUse::Of::file, file}; }

template <class Real> int write(const Call& call, const void* buffer, int count, Handle type, void* status, Real real) {
  const int error = perform(call, [&](Uses& uses) { uses.reads(buffer, count, type); }, real);
  if (call && error == success) call.status(status);
  return error;
}
template <class Real> int read(const Call& call, void* buffer, int count, Handle type, void* status, Real real) {
  if (!call) [[likely]]
    return real(status);
  Uses uses;
  return receive(call, uses, buffer, count, type, status, abi()->is_ignored(status), real);
}
template <class Real>
int begin_write(const Call& call, const void* buffer, int count, Handle type, void* request, Real real) {
  return begin(call, request, [&](Uses& uses) { uses.reads(buffer, count, type); }, real);
}
template <class Real> int begin_read(const Call& call, void* buffer, int count, Handle type, void* request, Real real) {
  return begin(call, request, [&](Uses& uses) { uses.writes(buffer, count, type); }, real);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] int MPI_File_write(Handle file, const void* buffer, int count, Handle type, void* status) {
  return write(Call(caller(), real_write.name()), buffer, count, type, status,
               [&] { return real_write(file, buffer, count, type, status); });
}
[[gnu::weak]] int MPI_File_write_at(Handle file, std::int64_t place, const void* buffer, int count, Handle type,
                                    void* status) {
  return write(Call(caller(), real_write_at.name()), buffer, count, type, status,
               [&] { return real_write_at(file, place, buffer, count, type, status); });
}
[[gnu::weak]] int MPI_File_write_all(Handle file, const void* buffer, int count, Handle type, void* status) {
  return write(Call(caller(), real_write_all.name(), {on_file(file)}), buffer, count, type, status,
               [&] { return real_write_all(file, buffer, count, type, status); });
}
[[gnu::weak]] int MPI_File_write_at_all(Handle file, std::int64_t place, const void* buffer, int count, Handle type,
                                        void* status) {
  return write(Call(caller(), real_write_at_all.name(), {on_file(file)}), buffer, count, type, status,
               [&] { return real_write_at_all(file, place, buffer, count, type, status); });
}
[[gnu::weak]] int MPI_File_write_shared(Handle file, const void* buffer, int count, Handle type, void* status) {
  return write(Call(caller(), real_write_shared.name()), buffer, count, type, status,
               [&] { return real_write_shared(file, buffer, count, type, status); });
}
[[gnu::weak]] int MPI_File_iwrite(Handle file, const void* buffer, int count, Handle type, void* request) {
  return begin_write(Call(caller(), real_iwrite.name()), buffer, count, type, request,
                     [&] { return real_iwrite(file, buffer, count, type, request); });
}
[[gnu::weak]] int MPI_File_iwrite_at(Handle file, std::int64_t place, const void* buffer, int count, Handle type,
                                     void* request) {
  return begin_write(Call(caller(), real_iwrite_at.name()), buffer, count, type, request,
                     [&] { return real_iwrite_at(file, place, buffer, count, type, request); });
}
[[gnu::weak]] int MPI_File_iwrite_all(Handle file, const void* buffer, int count, Handle type, void* request) {
  return begin_write(Call(caller(), real_iwrite_all.name(), {on_file(file)}), buffer, count, type, request,
                     [&] { return real_iwrite_all(file, buffer, count, type, request); });
}
[[gnu::weak]] int MPI_File_iwrite_at_all(Handle file, std::int64_t place, const void* buffer, int count, Handle type,
                                         void* request) {
  return begin_write(Call(caller(), real_iwrite_at_all.name(), {on_file(file)}), buffer, count, type, request,
                     [&] { return real_iwrite_at_all(file, place, buffer, count, type, request); });
}
[[gnu::weak]] int MPI_File_read(Handle file, void* buffer, int count, Handle type, void* status) {
  return read(Call(caller(), real_read.name()), buffer, count, type, status,
              [&](void* stored) { return real_read(file, buffer, count, type, stored); });
}
[[gnu::weak]] int MPI_File_read_at(Handle file, std::int64_t place, void* buffer, int count, Handle type,
                                   void* status) {
  return read(Call(caller(), real_read_at.name()), buffer, count, type, status,
              [&](void* stored) { return real_read_at(file, place, buffer, count, type, stored); });
}
[[gnu::weak]] int MPI_File_read_all(Handle file, void* buffer, int count, Handle type, void* status) {
  return read(Call(caller(), real_read_all.name(), {on_file(file)}), buffer, count, type, status,
              [&](void* stored) { return real_read_all(file, buffer, count, type, stored); });
}
[[gnu::weak]] int MPI_File_read_at_all(Handle file, std::int64_t place, void* buffer, int count, Handle type,
                                       void* status) {
  return read(Call(caller(), real_read_at_all.name(), {on_file(file)}), buffer, count, type, status,
              [&](void* stored) { return real_read_at_all(file, place, buffer, count, type, stored); });
}
[[gnu::weak]] int MPI_File_read_shared(Handle file, void* buffer, int count, Handle type, void* status) {
  return read(Call(caller(), real_read_shared.name()), buffer, count, type, status,
              [&](void* stored) { return real_read_shared(file, buffer, count, type, stored); });
}
[[gnu::weak]] int MPI_File_iread(Handle file, void* buffer, int count, Handle type, void* request) {
  return begin_read(Call(caller(), real_iread.name()), buffer, count, type, request,
                    [&] { return real_iread(file, buffer, count, type, request); });
}
[[gnu::weak]] int MPI_File_iread_at(Handle file, std::int64_t place, void* buffer, int count, Handle type,
                                    void* request) {
  return begin_read(Call(caller(), real_iread_at.name()), buffer, count, type, request,
                    [&] { return real_iread_at(file, place, buffer, count, type, request); });
}
[[gnu::weak]] int MPI_File_iread_all(Handle file, void* buffer, int count, Handle type, void* request) {
  return begin_read(Call(caller(), real_iread_all.name(), {on_file(file)}), buffer, count, type, request,
                    [&] { return real_iread_all(file, buffer, count, type, request); });
}
[[gnu::weak]] int MPI_File_iread_at_all(Handle file, std::int64_t place, void* buffer, int count, Handle type,
                                        void* request) {
  return begin_read(Call(caller(), real_iread_at_all.name(), {on_file(file)}), buffer, count, type, request,
                    [&] { return real_iread_at_all(file, place, buffer, count, type, request); });
}
[[gnu::weak]] int MPI_File_close(void* file) {
  const Handle handle = *static_cast<const Handle*>(file);
  const Call call(caller(), real_close.name(), {on_file(handle)});
  if (call) {
    objects::forget(MpiUse::Of::file, handle); // before another thread may get the handle
    call.writes(file, sizeof(Handle));
  }
  return real_close(file);
}

} // extern "C"
#pragma GCC visibility pop

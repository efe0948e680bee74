// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collective operations that another call completes, from Fortran.

#include "lib/interpose/mpi/fortran/fortran.hpp"
#include "lib/interpose/mpi/uses/collective_uses.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;
using namespace fletcher::interpose::mpi::fortran;

namespace {

constinit Subroutine<int*, int*> real_ibarrier{"mpi_ibarrier_"};
constinit Subroutine<void*, int*, int*, int*, int*, int*> real_ibcast{"mpi_ibcast_"};
constinit Subroutine<void*, void*, int*, int*, int*, int*, int*, int*> real_ireduce{"mpi_ireduce_"};
constinit Subroutine<void*, void*, int*, int*, int*, int*, int*> real_iallreduce{"mpi_iallreduce_"};
constinit Subroutine<void*, void*, int*, int*, int*, int*, int*> real_iscan{"mpi_iscan_"};
constinit Subroutine<void*, void*, int*, int*, int*, int*, int*> real_iexscan{"mpi_iexscan_"};
constinit Subroutine<void*, void*, int*, int*, int*, int*, int*> real_ireduce_scatter{"mpi_ireduce_scatter_"};
constinit Subroutine<void*, int*, int*, void*, int*, int*, int*, int*, int*> real_igather{"mpi_igather_"};
constinit Subroutine<void*, int*, int*, void*, int*, int*, int*, int*, int*, int*> real_igatherv{"mpi_igatherv_"};
constinit Subroutine<void*, int*, int*, void*, int*, int*, int*, int*, int*> real_iscatter{"mpi_iscatter_"};
constinit Subroutine<void*, int*, int*, int*, void*, int*, int*, int*, int*, int*> real_iscatterv{"mpi_iscatterv_"};
constinit Subroutine<void*, int*, int*, void*, int*, int*, int*, int*> real_iallgather{"mpi_iallgather_"};
constinit Subroutine<void*, int*, int*, void*, int*, int*, int*, int*, int*> real_iallgatherv{"mpi_iallgatherv_"};
constinit Subroutine<void*, int*, int*, void*, int*, int*, int*, int*> real_ialltoall{"mpi_ialltoall_"};
constinit Subroutine<void*, int*, int*, int*, void*, int*, int*, int*, int*, int*> real_ialltoallv{"mpi_ialltoallv_"};

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] void mpi_ibarrier_(int* on, int* made, int* error) {
  begin(
      call_to(caller(), real_ibarrier.name(), error, {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) { collectives::barrier(uses, communicator(on)); },
      [&] { return real_ibarrier(on, made, error); });
}
[[gnu::weak]] void mpi_ibcast_(void* memory, int* count, int* type, int* root, int* on, int* made, int* error) {
  begin(
      call_to(caller(), real_ibcast.name(), error, {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::broadcast(uses, buffer(memory), *count, datatype(type), *root, communicator(on));
      },
      [&] { return real_ibcast(memory, count, type, root, on, made, error); });
}
[[gnu::weak]] void mpi_ireduce_(void* sent, void* received, int* count, int* type, int* operation, int* root, int* on,
                                int* made, int* error) {
  begin(
      call_to(caller(), real_ireduce.name(), error, {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::reduce(uses, buffer(sent), buffer(received), *count, datatype(type),
                            mpi::fortran::operation(operation), *root, communicator(on));
      },
      [&] { return real_ireduce(sent, received, count, type, operation, root, on, made, error); });
}
[[gnu::weak]] void mpi_iallreduce_(void* sent, void* received, int* count, int* type, int* operation, int* on,
                                   int* made, int* error) {
  begin(
      call_to(caller(), real_iallreduce.name(), error, {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::allreduce(uses, buffer(sent), buffer(received), *count, datatype(type),
                               mpi::fortran::operation(operation), communicator(on));
      },
      [&] { return real_iallreduce(sent, received, count, type, operation, on, made, error); });
}
[[gnu::weak]] void mpi_iscan_(void* sent, void* received, int* count, int* type, int* operation, int* on, int* made,
                              int* error) {
  begin(
      call_to(caller(), real_iscan.name(), error, {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::scan(uses, buffer(sent), buffer(received), *count, datatype(type),
                          mpi::fortran::operation(operation), communicator(on));
      },
      [&] { return real_iscan(sent, received, count, type, operation, on, made, error); });
}
[[gnu::weak]] void mpi_iexscan_(void* sent, void* received, int* count, int* type, int* operation, int* on, int* made,
                                int* error) {
  begin(
      call_to(caller(), real_iexscan.name(), error, {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::exclusive_scan(uses, buffer(sent), buffer(received), *count, datatype(type),
                                    mpi::fortran::operation(operation), communicator(on));
      },
      [&] { return real_iexscan(sent, received, count, type, operation, on, made, error); });
}
[[gnu::weak]] void mpi_ireduce_scatter_(void* sent, void* received, int* counts, int* type, int* operation, int* on,
                                        int* made, int* error) {
  begin(
      call_to(caller(), real_ireduce_scatter.name(), error, {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::reduce_scatter(uses, buffer(sent), buffer(received), counts, datatype(type),
                                    mpi::fortran::operation(operation), communicator(on));
      },
      [&] { return real_ireduce_scatter(sent, received, counts, type, operation, on, made, error); });
}
[[gnu::weak]] void mpi_igather_(void* sent, int* send_count, int* send_type, void* received, int* count, int* type,
                                int* root, int* on, int* made, int* error) {
  begin(
      call_to(caller(), real_igather.name(), error, {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::gather(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), *count,
                            datatype(type), *root, communicator(on));
      },
      [&] { return real_igather(sent, send_count, send_type, received, count, type, root, on, made, error); });
}
[[gnu::weak]] void mpi_igatherv_(void* sent, int* send_count, int* send_type, void* received, int* counts, int* places,
                                 int* type, int* root, int* on, int* made, int* error) {
  begin(
      call_to(caller(), real_igatherv.name(), error, {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::gatherv(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), counts, places,
                             datatype(type), *root, communicator(on));
      },
      [&] {
        return real_igatherv(sent, send_count, send_type, received, counts, places, type, root, on, made, error);
      });
}
[[gnu::weak]] void mpi_iscatter_(void* sent, int* send_count, int* send_type, void* received, int* count, int* type,
                                 int* root, int* on, int* made, int* error) {
  begin(
      call_to(caller(), real_iscatter.name(), error, {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::scatter(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), *count,
                             datatype(type), *root, communicator(on));
      },
      [&] { return real_iscatter(sent, send_count, send_type, received, count, type, root, on, made, error); });
}
[[gnu::weak]] void mpi_iscatterv_(void* sent, int* counts, int* places, int* send_type, void* received, int* count,
                                  int* type, int* root, int* on, int* made, int* error) {
  begin(
      call_to(caller(), real_iscatterv.name(), error, {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::scatterv(uses, buffer(sent), counts, places, datatype(send_type), buffer(received), *count,
                              datatype(type), *root, communicator(on));
      },
      [&] { return real_iscatterv(sent, counts, places, send_type, received, count, type, root, on, made, error); });
}
[[gnu::weak]] void mpi_iallgather_(void* sent, int* send_count, int* send_type, void* received, int* count, int* type,
                                   int* on, int* made, int* error) {
  begin(
      call_to(caller(), real_iallgather.name(), error, {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::allgather(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), *count,
                               datatype(type), communicator(on));
      },
      [&] { return real_iallgather(sent, send_count, send_type, received, count, type, on, made, error); });
}
[[gnu::weak]] void mpi_iallgatherv_(void* sent, int* send_count, int* send_type, void* received, int* counts,
                                    int* places, int* type, int* on, int* made, int* error) {
  begin(
      call_to(caller(), real_iallgatherv.name(), error, {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::allgatherv(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), counts, places,
                                datatype(type), communicator(on));
      },
      [&] { return real_iallgatherv(sent, send_count, send_type, received, counts, places, type, on, made, error); });
}
[[gnu::weak]] void mpi_ialltoall_(void* sent, int* send_count, int* send_type, void* received, int* count, int* type,
                                  int* on, int* made, int* error) {
  begin(
      call_to(caller(), real_ialltoall.name(), error, {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::alltoall(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), *count,
                              datatype(type), communicator(on));
      },
      [&] { return real_ialltoall(sent, send_count, send_type, received, count, type, on, made, error); });
}
[[gnu::weak]] void mpi_ialltoallv_(void* sent, int* send_counts, int* send_places, int* send_type, void* received,
                                   int* counts, int* places, int* type, int* on, int* made, int* error) {
  begin(
      call_to(caller(), real_ialltoallv.name(), error, {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::alltoallv(uses, buffer(sent), send_counts, send_places, datatype(send_type), buffer(received),
                               counts, places, datatype(type), communicator(on));
      },
      [&] {
        return real_ialltoallv(sent, send_counts, send_places, send_type, received, counts, places, type, on, made,
                               error);
      });
}

// The module mpi_f08 of Open MPI.
extern decltype(mpi_ibarrier_) mpi_ibarrier_f08_ [[gnu::weak, gnu::alias("mpi_ibarrier_")]];
extern decltype(mpi_ibcast_) mpi_ibcast_f08_ [[gnu::weak, gnu::alias("mpi_ibcast_")]];
extern decltype(mpi_ireduce_) mpi_ireduce_f08_ [[gnu::weak, gnu::alias("mpi_ireduce_")]];
extern decltype(mpi_iallreduce_) mpi_iallreduce_f08_ [[gnu::weak, gnu::alias("mpi_iallreduce_")]];
extern decltype(mpi_iscan_) mpi_iscan_f08_ [[gnu::weak, gnu::alias("mpi_iscan_")]];
extern decltype(mpi_iexscan_) mpi_iexscan_f08_ [[gnu::weak, gnu::alias("mpi_iexscan_")]];
extern decltype(mpi_ireduce_scatter_) mpi_ireduce_scatter_f08_ [[gnu::weak, gnu::alias("mpi_ireduce_scatter_")]];
extern decltype(mpi_igather_) mpi_igather_f08_ [[gnu::weak, gnu::alias("mpi_igather_")]];
extern decltype(mpi_igatherv_) mpi_igatherv_f08_ [[gnu::weak, gnu::alias("mpi_igatherv_")]];
extern decltype(mpi_iscatter_) mpi_iscatter_f08_ [[gnu::weak, gnu::alias("mpi_iscatter_")]];
extern decltype(mpi_iscatterv_) mpi_iscatterv_f08_ [[gnu::weak, gnu::alias("mpi_iscatterv_")]];
extern decltype(mpi_iallgather_) mpi_iallgather_f08_ [[gnu::weak, gnu::alias("mpi_iallgather_")]];
extern decltype(mpi_iallgatherv_) mpi_iallgatherv_f08_ [[gnu::weak, gnu::alias("mpi_iallgatherv_")]];
extern decltype(mpi_ialltoall_) mpi_ialltoall_f08_ [[gnu::weak, gnu::alias("mpi_ialltoall_")]];
extern decltype(mpi_ialltoallv_) mpi_ialltoallv_f08_ [[gnu::weak, gnu::alias("mpi_ialltoallv_")]];

} // extern "C"
#pragma GCC visibility pop

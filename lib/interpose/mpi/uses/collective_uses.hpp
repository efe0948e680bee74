// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What collective operations read and write in this process, by their arguments: those of the blocking and of the
// nonblocking function are the same. Between groups (intercommunicators) nothing is said.
#pragma once

#include "lib/interpose/mpi/uses/uses.hpp"

namespace fletcher::interpose::mpi::collectives {

using Counts = const int*;

void barrier(Uses& uses, Handle communicator);
void broadcast(Uses& uses, void* buffer, int count, Handle type, int root, Handle communicator);
void reduce(Uses& uses, const void* sent, void* received, int count, Handle type, Handle operation, int root,
            Handle communicator);
void allreduce(Uses& uses, const void* sent, void* received, int count, Handle type, Handle operation,
               Handle communicator);
void scan(Uses& uses, const void* sent, void* received, int count, Handle type, Handle operation, Handle communicator);
void exclusive_scan(Uses& uses, const void* sent, void* received, int count, Handle type, Handle operation,
                    Handle communicator);
void reduce_scatter(Uses& uses, const void* sent, void* received, Counts counts, Handle type, Handle operation,
                    Handle communicator);
void reduce_scatter_block(Uses& uses, const void* sent, void* received, int count, Handle type, Handle operation,
                          Handle communicator);
void gather(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, int count, Handle type,
            int root, Handle communicator);
void gatherv(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, Counts counts,
             Counts places, Handle type, int root, Handle communicator);
void scatter(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, int count, Handle type,
             int root, Handle communicator);
void scatterv(Uses& uses, const void* sent, Counts counts, Counts places, Handle send_type, void* received, int count,
              Handle type, int root, Handle communicator);
void allgather(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, int count, Handle type,
               Handle communicator);
void allgatherv(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, Counts counts,
                Counts places, Handle type, Handle communicator);
void alltoall(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, int count, Handle type,
              Handle communicator);
void alltoallv(Uses& uses, const void* sent, Counts send_counts, Counts send_places, Handle send_type, void* received,
               Counts counts, Counts places, Handle type, Handle communicator);

/// Places are in bytes, and each process has a datatype of its own.
void alltoallw(Uses& uses, const void* sent, Counts send_counts, Counts send_places, const void* send_types,
               void* received, Counts counts, Counts places, const void* types, Handle communicator);
/// Between neighbours in a topology.
void neighbor_allgather(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, int count,
                        Handle type, Handle communicator);
void neighbor_alltoall(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, int count,
                       Handle type, Handle communicator);

} // namespace fletcher::interpose::mpi::collectives

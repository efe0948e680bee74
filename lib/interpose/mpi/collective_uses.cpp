// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/collective_uses.hpp"

#include "lib/interpose/mpi/layout.hpp"

#include <optional>

namespace fletcher::interpose::mpi::collectives {

namespace {

/// This process among those of a communicator.
struct Place {
  int rank, size;
};

/// Nothing for a communicator of two groups, and for errors.
std::optional<Place> place_in(Handle communicator) {
  if (is_intercommunicator(communicator)) return std::nullopt;
  const Place place{rank_in(communicator), size_of(communicator)};
  return place.rank < 0 || place.size <= 0 ? std::nullopt : std::optional(place);
}

bool in_place(const void* buffer) { return abi()->is_in_place(buffer); }

const char* element(const void* buffer, std::int64_t index, Handle type) {
  return static_cast<const char*>(buffer) + index * Layout(type).extent();
}

enum class Does : bool { reads, writes };

/// The parts of all processes but `left_out`, each at its place.
void parts(Uses& uses, Does does, const void* buffer, Counts counts, Counts places, Handle type, int size,
           int left_out = -1) {
  uses.reads_bytes(counts, sizeof *counts * static_cast<std::size_t>(size));
  uses.reads_bytes(places, sizeof *places * static_cast<std::size_t>(size));
  const Displacement extent = Layout(type).extent();
  for (int i = 0; i < size; ++i) {
    if (i == left_out) continue;
    const char* const part = static_cast<const char*>(buffer) + places[i] * extent;
    does == Does::reads ? uses.reads(part, counts[i], type) : uses.writes(part, counts[i], type);
  }
}

/// Equal parts, one after the other.
void equal_parts(Uses& uses, Does does, const void* buffer, int count, Handle type, int size, int left_out = -1) {
  const auto range = [&](int first, int end) {
    const auto elements = std::int64_t{end - first} * count;
    if (elements <= 0) return;
    const char* const part = element(buffer, std::int64_t{first} * count, type);
    does == Does::reads ? uses.reads(part, elements, type) : uses.writes(part, elements, type);
  };
  if (left_out < 0) return range(0, size);
  range(0, left_out);
  range(left_out + 1, size);
}

/// What is combined comes from `received` where `sent` is MPI_IN_PLACE.
void combine(Uses& uses, const void* sent, const void* received, std::int64_t count, Handle type) {
  uses.reads(in_place(sent) ? received : sent, count, type);
}

} // namespace

void barrier(Uses&, Handle) {}

void broadcast(Uses& uses, void* buffer, int count, Handle type, int root, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  here->rank == root ? uses.reads(buffer, count, type) : uses.writes(buffer, count, type);
}

void reduce(Uses& uses, const void* sent, void* received, int count, Handle type, Handle, int root,
            Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  combine(uses, sent, received, count, type);
  if (here->rank == root) uses.writes(received, count, type);
}

void allreduce(Uses& uses, const void* sent, void* received, int count, Handle type, Handle, Handle communicator) {
  if (!place_in(communicator)) return;
  combine(uses, sent, received, count, type);
  uses.writes(received, count, type);
}

void scan(Uses& uses, const void* sent, void* received, int count, Handle type, Handle operation, Handle communicator) {
  allreduce(uses, sent, received, count, type, operation, communicator);
}

void exclusive_scan(Uses& uses, const void* sent, void* received, int count, Handle type, Handle, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  combine(uses, sent, received, count, type);
  if (here->rank != 0) uses.writes(received, count, type);
}

void reduce_scatter(Uses& uses, const void* sent, void* received, Counts counts, Handle type, Handle,
                    Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  uses.reads_bytes(counts, sizeof *counts * static_cast<std::size_t>(here->size));
  std::int64_t all = 0;
  for (int i = 0; i < here->size; ++i) all += counts[i];
  combine(uses, sent, received, all, type);
  uses.writes(received, counts[here->rank], type);
}

void reduce_scatter_block(Uses& uses, const void* sent, void* received, int count, Handle type, Handle,
                          Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  combine(uses, sent, received, std::int64_t{here->size} * count, type);
  uses.writes(received, count, type);
}

void gather(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, int count, Handle type,
            int root, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  uses.reads(sent, send_count, send_type);
  if (here->rank == root)
    equal_parts(uses, Does::writes, received, count, type, here->size, in_place(sent) ? root : -1);
}

void gatherv(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, Counts counts,
             Counts places, Handle type, int root, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  uses.reads(sent, send_count, send_type);
  if (here->rank == root)
    parts(uses, Does::writes, received, counts, places, type, here->size, in_place(sent) ? root : -1);
}

void scatter(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, int count, Handle type,
             int root, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  if (here->rank == root)
    equal_parts(uses, Does::reads, sent, send_count, send_type, here->size, in_place(received) ? root : -1);
  uses.writes(received, count, type);
}

void scatterv(Uses& uses, const void* sent, Counts counts, Counts places, Handle send_type, void* received, int count,
              Handle type, int root, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  if (here->rank == root)
    parts(uses, Does::reads, sent, counts, places, send_type, here->size, in_place(received) ? root : -1);
  uses.writes(received, count, type);
}

void allgather(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, int count, Handle type,
               Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  uses.reads(sent, send_count, send_type);
  if (in_place(sent)) uses.reads(element(received, std::int64_t{here->rank} * count, type), count, type);
  equal_parts(uses, Does::writes, received, count, type, here->size, in_place(sent) ? here->rank : -1);
}

void allgatherv(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, Counts counts,
                Counts places, Handle type, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  uses.reads(sent, send_count, send_type);
  if (in_place(sent)) uses.reads(element(received, places[here->rank], type), counts[here->rank], type);
  parts(uses, Does::writes, received, counts, places, type, here->size, in_place(sent) ? here->rank : -1);
}

void alltoall(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, int count, Handle type,
              Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  if (in_place(sent))
    equal_parts(uses, Does::reads, received, count, type, here->size);
  else
    equal_parts(uses, Does::reads, sent, send_count, send_type, here->size);
  equal_parts(uses, Does::writes, received, count, type, here->size);
}

void alltoallv(Uses& uses, const void* sent, Counts send_counts, Counts send_places, Handle send_type, void* received,
               Counts counts, Counts places, Handle type, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  if (in_place(sent))
    parts(uses, Does::reads, received, counts, places, type, here->size);
  else
    parts(uses, Does::reads, sent, send_counts, send_places, send_type, here->size);
  parts(uses, Does::writes, received, counts, places, type, here->size);
}

} // namespace fletcher::interpose::mpi::collectives

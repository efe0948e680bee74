// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/uses/collective_uses.hpp"

#include "lib/interpose/mpi/ranks/meetings.hpp"
#include "lib/interpose/mpi/uses/layout.hpp"

#include <algorithm>
#include <optional>
#include <vector>

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
  uses.reads(uses.in_place(sent) ? received : sent, count, type);
}

/// Those from which a process gets something and those to which it sends, in the order of its buffers' parts.
/// MPI_PROC_NULL is negative.
struct Neighbors {
  std::vector<int> sources, destinations;
};

constinit Function<int(Handle, int*)> topology_of{"PMPI_Topo_test"}, dimensions_of{"PMPI_Cartdim_get"};
constinit Function<int(Handle, int, int, int*, int*)> shift{"PMPI_Cart_shift"};
constinit Function<int(Handle, int*, int*, int*)> count_neighbors{"PMPI_Dist_graph_neighbors_count"};
constinit Function<int(Handle, int, int*)> count_of_graph{"PMPI_Graph_neighbors_count"};

Neighbors neighbors_in(Handle communicator, const Place& here) {
  Neighbors out;
  int topology = 0, count = 0;
  if (topology_of(communicator, &topology) != success) return out;
  if (topology == abi()->cartesian() && dimensions_of(communicator, &count) == success) {
    for (int i = 0; i < count; ++i) {
      int before = -1, after = -1;
      if (shift(communicator, i, 1, &before, &after) != success) return {};
      out.sources.insert(out.sources.end(), {before, after});
    }
    out.destinations = out.sources;
  } else if (topology == abi()->graph() && count_of_graph(communicator, here.rank, &count) == success) {
    out.sources.assign(static_cast<std::size_t>(count), here.rank);
    out.destinations = out.sources;
  } else if (int to = 0, weighted = 0; topology == abi()->distributed_graph() &&
                                       count_neighbors(communicator, &count, &to, &weighted) == success) {
    out.sources.assign(static_cast<std::size_t>(count), here.rank);
    out.destinations.assign(static_cast<std::size_t>(to), here.rank);
  }
  return out;
}

/// Equal parts, of which those of no process are left alone.
void neighbor_parts(Uses& uses, Does does, const void* buffer, int count, Handle type, const std::vector<int>& ranks) {
  for (std::size_t i = 0; i < ranks.size(); ++i)
    if (ranks[i] >= 0) {
      const char* const part = element(buffer, static_cast<std::int64_t>(i) * count, type);
      does == Does::reads ? uses.reads(part, count, type) : uses.writes(part, count, type);
    }
}

/// The parts of all processes, at places in bytes.
void typed_parts(Uses& uses, Does does, const void* buffer, Counts counts, Counts places, const void* types, int size) {
  for (int i = 0; i < size; ++i) {
    const char* const part = static_cast<const char*>(buffer) + places[i];
    const Handle type = abi()->handle_at(types, static_cast<std::size_t>(i));
    does == Does::reads ? uses.reads(part, counts[i], type) : uses.writes(part, counts[i], type);
  }
}

/// All processes give the same root, operation and number of bytes; -1 and 0 where it has none of these.
void agree(Uses& uses, int root, Handle operation, std::int64_t count, Handle type) {
  board::Agreement all{.root = root};
  if (board::own() == nullptr) return;
  if (operation != 0) all.operation = meetings::operation(operation);
  if (count >= 0) meetings::elements(all, count, type);
  uses.agree(all);
}
constexpr int no_root = -1, any_count = -1;
constexpr Handle no_operation = 0;

} // namespace

void barrier(Uses&, Handle) {}

void broadcast(Uses& uses, void* buffer, int count, Handle type, int root, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  agree(uses, root, no_operation, count, type);
  here->rank == root ? uses.reads(buffer, count, type) : uses.writes(buffer, count, type);
}

void reduce(Uses& uses, const void* sent, void* received, int count, Handle type, Handle operation, int root,
            Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  agree(uses, root, operation, count, type);
  combine(uses, sent, received, count, type);
  if (here->rank == root) uses.writes(received, count, type);
}

void allreduce(Uses& uses, const void* sent, void* received, int count, Handle type, Handle operation,
               Handle communicator) {
  if (!place_in(communicator)) return;
  agree(uses, no_root, operation, count, type);
  combine(uses, sent, received, count, type);
  uses.writes(received, count, type);
}

void scan(Uses& uses, const void* sent, void* received, int count, Handle type, Handle operation, Handle communicator) {
  allreduce(uses, sent, received, count, type, operation, communicator);
}

void exclusive_scan(Uses& uses, const void* sent, void* received, int count, Handle type, Handle operation,
                    Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  agree(uses, no_root, operation, count, type);
  combine(uses, sent, received, count, type);
  if (here->rank != 0) uses.writes(received, count, type);
}

void reduce_scatter(Uses& uses, const void* sent, void* received, Counts counts, Handle type, Handle operation,
                    Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  uses.reads_bytes(counts, sizeof *counts * static_cast<std::size_t>(here->size));
  std::int64_t all = 0;
  for (int i = 0; i < here->size; ++i) all += counts[i];
  agree(uses, no_root, operation, all, type);
  combine(uses, sent, received, all, type);
  uses.writes(received, counts[here->rank], type);
}

void reduce_scatter_block(Uses& uses, const void* sent, void* received, int count, Handle type, Handle operation,
                          Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  agree(uses, no_root, operation, count, type);
  combine(uses, sent, received, std::int64_t{here->size} * count, type);
  uses.writes(received, count, type);
}

void gather(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, int count, Handle type,
            int root, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  here->rank == root ? agree(uses, root, no_operation, count, type)
                     : agree(uses, root, no_operation, send_count, send_type);
  uses.reads(sent, send_count, send_type);
  if (here->rank == root)
    equal_parts(uses, Does::writes, received, count, type, here->size, uses.in_place(sent) ? root : -1);
}

void gatherv(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, Counts counts,
             Counts places, Handle type, int root, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  agree(uses, root, no_operation, any_count, 0);
  uses.reads(sent, send_count, send_type);
  if (here->rank == root)
    parts(uses, Does::writes, received, counts, places, type, here->size, uses.in_place(sent) ? root : -1);
}

void scatter(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, int count, Handle type,
             int root, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  here->rank == root ? agree(uses, root, no_operation, send_count, send_type)
                     : agree(uses, root, no_operation, count, type);
  if (here->rank == root)
    equal_parts(uses, Does::reads, sent, send_count, send_type, here->size, uses.in_place(received) ? root : -1);
  uses.writes(received, count, type);
}

void scatterv(Uses& uses, const void* sent, Counts counts, Counts places, Handle send_type, void* received, int count,
              Handle type, int root, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  agree(uses, root, no_operation, any_count, 0);
  if (here->rank == root)
    parts(uses, Does::reads, sent, counts, places, send_type, here->size, uses.in_place(received) ? root : -1);
  uses.writes(received, count, type);
}

void allgather(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, int count, Handle type,
               Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  agree(uses, no_root, no_operation, count, type);
  uses.reads(sent, send_count, send_type);
  if (uses.in_place(sent)) uses.reads(element(received, std::int64_t{here->rank} * count, type), count, type);
  equal_parts(uses, Does::writes, received, count, type, here->size, uses.in_place(sent) ? here->rank : -1);
}

void allgatherv(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, Counts counts,
                Counts places, Handle type, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  uses.reads(sent, send_count, send_type);
  if (uses.in_place(sent)) uses.reads(element(received, places[here->rank], type), counts[here->rank], type);
  parts(uses, Does::writes, received, counts, places, type, here->size, uses.in_place(sent) ? here->rank : -1);
}

void alltoall(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, int count, Handle type,
              Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  agree(uses, no_root, no_operation, count, type);
  if (uses.in_place(sent))
    equal_parts(uses, Does::reads, received, count, type, here->size);
  else
    equal_parts(uses, Does::reads, sent, send_count, send_type, here->size);
  equal_parts(uses, Does::writes, received, count, type, here->size);
}

void alltoallv(Uses& uses, const void* sent, Counts send_counts, Counts send_places, Handle send_type, void* received,
               Counts counts, Counts places, Handle type, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  if (uses.in_place(sent))
    parts(uses, Does::reads, received, counts, places, type, here->size);
  else
    parts(uses, Does::reads, sent, send_counts, send_places, send_type, here->size);
  parts(uses, Does::writes, received, counts, places, type, here->size);
}

void alltoallw(Uses& uses, const void* sent, Counts send_counts, Counts send_places, const void* send_types,
               void* received, Counts counts, Counts places, const void* types, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  if (uses.in_place(sent))
    typed_parts(uses, Does::reads, received, counts, places, types, here->size);
  else
    typed_parts(uses, Does::reads, sent, send_counts, send_places, send_types, here->size);
  typed_parts(uses, Does::writes, received, counts, places, types, here->size);
}

void neighbor_allgather(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, int count,
                        Handle type, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  const Neighbors neighbors = neighbors_in(communicator, *here);
  const auto exists = [](int rank) { return rank >= 0; };
  if (std::ranges::any_of(neighbors.destinations, exists)) uses.reads(sent, send_count, send_type);
  neighbor_parts(uses, Does::writes, received, count, type, neighbors.sources);
}

void neighbor_alltoall(Uses& uses, const void* sent, int send_count, Handle send_type, void* received, int count,
                       Handle type, Handle communicator) {
  const auto here = place_in(communicator);
  if (!here) return;
  const Neighbors neighbors = neighbors_in(communicator, *here);
  neighbor_parts(uses, Does::reads, sent, send_count, send_type, neighbors.destinations);
  neighbor_parts(uses, Does::writes, received, count, type, neighbors.sources);
}

} // namespace fletcher::interpose::mpi::collectives

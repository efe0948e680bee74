// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one operation of MPI's reads and writes of the program's memory, as its arguments say, before anything is known
// about when.
#pragma once

#include "checker/access/cells/cell.hpp"
#include "checker/rules/mpi_threads.hpp"
#include "lib/interpose/mpi/library.hpp"
#include "lib/interpose/mpi/ranks/board.hpp"

#include <optional>
#include <vector>

namespace fletcher::access {
struct ThreadState;
}

namespace fletcher::interpose::mpi {

struct Use {
  access::Kind kind;
  const void* buffer;
  std::int64_t count;
  Handle type; ///< 0: bytes
};

/// Which messages a receive may match.
struct Envelope {
  Handle communicator;
  int source, tag;
};

/// Memory that one call would write twice, or both read and write.
enum class Overlap : std::uint8_t { none, of_written, of_read_and_written };

/// An object that a call uses, which two calls must not use in such a way at once.
struct ObjectUse {
  static constexpr std::int64_t whole = -1;
  MpiUse::Of of;
  Handle object;
  access::Kind kind = access::Kind::write;
  std::int64_t part = whole;
};

class Uses {
public:
  /// MPI_IN_PLACE is no buffer, and is left out.
  void reads(const void* buffer, std::int64_t count, Handle type) { add({access::Kind::read, buffer, count, type}); }
  void writes(const void* buffer, std::int64_t count, Handle type) { add({access::Kind::write, buffer, count, type}); }
  void accesses(access::Kind kind, const void* buffer, std::int64_t count, Handle type) {
    add({kind, buffer, count, type});
  }
  void reads_bytes(const void* memory, std::size_t size) { add({access::Kind::read, memory, std::int64_t(size), 0}); }
  void writes_bytes(const void* memory, std::size_t size) { add({access::Kind::write, memory, std::int64_t(size), 0}); }
  /// A message goes to this process itself: its receiver comes after what its sender did before.
  void sends(int to, Handle communicator);
  /// One comes from there, or may do so.
  void receives(int from, int tag, Handle communicator);

  /// MPI_IN_PLACE is given: what is written may be what is read.
  bool in_place(const void* buffer) {
    const bool is = abi()->is_in_place(buffer);
    in_place_ |= is;
    return is;
  }
  void in_place() noexcept { in_place_ = true; }

  /// It is at a place of a window; object 0: it is not known where.
  void place(const ObjectUse& use) {
    if (use.object != 0) place_ = use;
  }
  const std::optional<ObjectUse>& place() const noexcept { return place_; }

  /// What all processes of a collective operation are given alike.
  void agree(const board::Agreement& agreement) { agreement_ = agreement; }
  const std::optional<board::Agreement>& agreement() const noexcept { return agreement_; }

  bool to_self() const noexcept { return to_self_; }
  bool from_self() const noexcept { return from_self_; }
  const std::optional<Envelope>& received() const noexcept { return received_; }
  /// Something is written.
  bool receives_some() const noexcept;
  bool empty() const noexcept { return list_.empty() && !place_; }

  /// Of buffers that must not overlap. O(n log n) in the number of their parts.
  Overlap overlap() const;

  /// Makes those of the kind on `thread`, by a call that goes on at `pc`.
  void make(access::ThreadState& thread, access::Kind kind, Address pc) const;

private:
  void add(const Use& use) {
    if (use.count > 0 && !abi()->is_in_place(use.buffer)) list_.push_back(use);
  }
  std::vector<Use> list_;
  bool to_self_ = false, from_self_ = false, in_place_ = false;
  std::optional<Envelope> received_;
  std::optional<ObjectUse> place_;
  std::optional<board::Agreement> agreement_;
};

/// In the communicator; -1 for an error.
int rank_in(Handle communicator);
int size_of(Handle communicator);
bool is_intercommunicator(Handle communicator);

} // namespace fletcher::interpose::mpi

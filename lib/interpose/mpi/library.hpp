// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The MPI library of the process, about which nothing is known when Fletcher is built: its functions, looked up when
// they are first called, and what the ABI of its kind says about handles and constants.
#pragma once

#include "checker/ids.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace fletcher::interpose::mpi {

/// A handle as it is passed: a pointer (Open MPI), or an int in the lower half of a register (MPICH).
using Handle = std::uintptr_t;
/// MPI_Aint.
using Displacement = std::intptr_t;
inline constexpr int success = 0;

/// How derived datatypes are made: MPI's combiners.
enum class Combiner : std::uint8_t {
  named,
  dup,
  contiguous,
  vector,
  hvector,
  indexed,
  hindexed,
  indexed_block,
  hindexed_block,
  structure,
  subarray,
  resized,
  other
};

/// What a program is compiled with, by the kind of library.
class Abi {
public:
  enum class Kind : std::uint8_t { open_mpi, mpich };
  Abi(Kind kind, Handle world, Handle self, Handle no_communicator, Handle no_request, Handle no_datatype) noexcept
      : kind_(kind), world_(world), self_(self), no_communicator_(no_communicator), no_request_(no_request),
        no_datatype_(no_datatype) {}

  Handle clean(Handle handle) const noexcept { return kind_ == Kind::mpich ? std::uint32_t(handle) : handle; }
  bool is_request(Handle handle) const noexcept { return clean(handle) != no_request_; }
  bool is_communicator(Handle handle) const noexcept { return clean(handle) != no_communicator_; }
  bool is_datatype(Handle handle) const noexcept { return clean(handle) != no_datatype_; }
  std::size_t handle_size() const noexcept { return kind_ == Kind::mpich ? 4 : 8; }
  bool is_mpich() const noexcept { return kind_ == Kind::mpich; }
  /// The handle at `index` of an array.
  Handle handle_at(const void* handles, std::size_t index) const noexcept {
    return kind_ == Kind::mpich ? static_cast<const std::uint32_t*>(handles)[index]
                                : static_cast<const std::uintptr_t*>(handles)[index];
  }
  void* in_place() const noexcept {
    return reinterpret_cast<void*>(kind_ == Kind::mpich ? std::intptr_t{-1} : std::intptr_t{1});
  }
  bool is_in_place(const void* buffer) const noexcept { return buffer == in_place(); }
  /// MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE.
  bool is_ignored(const void* status) const noexcept {
    return reinterpret_cast<std::uintptr_t>(status) == (kind_ == Kind::mpich ? 1 : 0);
  }
  std::size_t status_size() const noexcept { return kind_ == Kind::mpich ? 20 : 24; }
  int source_of(const void* status) const noexcept {
    return static_cast<const int*>(status)[kind_ == Kind::mpich ? 2 : 0];
  }
  int tag_of(const void* status) const noexcept {
    return static_cast<const int*>(status)[kind_ == Kind::mpich ? 3 : 1];
  }
  int any_tag() const noexcept { return -1; }
  int any_source() const noexcept { return kind_ == Kind::mpich ? -2 : -1; }
  Combiner combiner(int number) const noexcept;
  /// MPI_MODE_NOSUCCEED.
  int no_succeed() const noexcept { return kind_ == Kind::mpich ? 16384 : 16; }
  /// MPI_COMM_WORLD.
  Handle world() const noexcept { return world_; }
  /// What MPI_Topo_test says.
  int cartesian() const noexcept { return kind_ == Kind::mpich ? 2 : 1; }
  int graph() const noexcept { return kind_ == Kind::mpich ? 1 : 2; }
  int distributed_graph() const noexcept { return 3; }
  /// MPI_COMM_SELF.
  bool is_self(Handle communicator) const noexcept { return clean(communicator) == self_; }
  bool is_fortran_order(int order) const noexcept { return order == (kind_ == Kind::mpich ? 57 : 1); }

private:
  Kind kind_;
  Handle world_, self_, no_communicator_, no_request_, no_datatype_;
};

/// Null where the library is of neither kind: nothing is known about its calls.
const Abi* abi() noexcept;

/// What the process has by this name behind this library; null: nothing.
void* find(const char* name) noexcept;

namespace detail {
[[gnu::tls_model("initial-exec")]] inline constinit thread_local unsigned in_library = 0;
/// The function that this thread is in, and the last call that was looked at.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local const char* function = nullptr;
/// For other threads.
struct VisibleCall {
  std::atomic<const char*> function{nullptr};
};
/// Null where nobody asks.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local VisibleCall* visible_call = nullptr;
inline void enter(const char* name) noexcept {
  function = name;
  if (visible_call != nullptr) visible_call->function.store(name, std::memory_order_release);
}
struct LastCall {
  Address pc = 0;
  const char* function = nullptr;
};
[[gnu::tls_model("initial-exec")]] inline constinit thread_local LastCall last_call{};
[[noreturn]] void missing(const char* name) noexcept;
} // namespace detail

/// This thread is in a function of MPI's: its locks, conditions and threads are its own.
[[gnu::always_inline]] inline bool in_library() noexcept { return detail::in_library != 0; }

/// A function of the MPI library. Constant-initialised and without a destructor.
template <class Signature> class Function;
template <class Result, class... Arguments> class Function<Result(Arguments...)> {
public:
  using Pointer = Result (*)(Arguments...);
  explicit constexpr Function(const char* name) noexcept : name_(name) {}
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;

  const char* name() const noexcept { return name_; }
  /// False: the library is older or newer than the function.
  bool exists() noexcept { return get() != nullptr; }
  Result operator()(Arguments... arguments) {
    const Pointer function = get();
    if (function == nullptr) [[unlikely]]
      detail::missing(name_);
    struct Inside {
      explicit Inside(const char* name) : before(detail::function) {
        detail::enter(name);
        ++detail::in_library;
      }
      ~Inside() {
        --detail::in_library;
        detail::enter(before);
      }
      const char* before;
    } const inside(name_);
    return function(arguments...);
  }

private:
  Pointer get() noexcept {
    Pointer function = function_.load(std::memory_order_relaxed);
    if (function == nullptr) [[unlikely]]
      function_.store(function = reinterpret_cast<Pointer>(find(name_)), std::memory_order_relaxed);
    return function;
  }
  const char* name_;
  std::atomic<Pointer> function_{nullptr};
};

} // namespace fletcher::interpose::mpi

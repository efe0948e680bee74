// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that are pending: from the call that begins one until the call that completes it, MPI may access its
// buffers at any time. To the checker such an operation is a task of its own, on a thread of its own, which comes after
// what its creator did before and before what the task that completes it does next.
#pragma once

#include "lib/interpose/mpi/call.hpp"
#include "lib/interpose/mpi/request_variables.hpp"

#include <cstddef>
#include <vector>

namespace fletcher::interpose::mpi::operations {

/// `call` has begun one, and stored its request in the variable.
void begin(const Call& call, const RequestVariables& request, const Uses& uses);

/// Of a partitioned operation one part. What completes the request completes all parts that have begun.
void begin_partition(const Call& call, Handle request, int partition, const Uses& uses);
/// The calling thread knows that the part is complete; the request is still to be waited for.
void seen_complete(Handle request, int partition);

/// The same on a window: what completes its operations completes this one.
enum class Side : bool { origin, target };
void begin_on(const Call& call, Handle window, int target, Side side, const Uses& uses);
void begin_on(const Call& call, Handle window, int target, const RequestVariables& request, const Uses& uses);
/// The call has completed those on the window, to one target or to all (-1): at the target, or at the origin only.
void completed_on(const Call& call, Handle window, int target, Side side);
/// Where the first call goes on that began one that is not complete at its target; 0: all are.
Address pending_on(Handle window);

/// The buffer of buffered sends is MPI's from now on, until completed_attached.
void begin_attached(const Call& call, const Uses& uses);
void completed_attached(const Call& call);

/// The requests that a call may complete, as they are before it: it changes the variables.
class Awaited {
public:
  Awaited(const Call& call, const RequestVariables& requests, std::int64_t count);
  /// The call has completed the one at this index.
  void completed(std::size_t index) const;
  /// All of them.
  void completed() const;
  /// The call has freed the request. Of what is received nobody can know any more when it has come.
  void given_up() const;

private:
  void complete(std::size_t first, std::size_t end) const;
  const Call& call_;
  RequestVariables requests_;
  std::vector<Handle> handles_;
};

/// The calling thread knows that the operation of the request is complete; it is still to be waited for.
void seen_complete(Handle request);

/// Where the call goes on that began the operation of the request, if that is pending for sure; else 0.
Address pending_since(Handle request);

/// Where those began that are pending still, and that surely no call has completed.
std::vector<Address> unfinished();

/// Where the operation that the call before `began` began was completed; 0: nowhere so far.
Address completion_of(Address began) noexcept;
void tell_completion(Address began, Address pc);

} // namespace fletcher::interpose::mpi::operations

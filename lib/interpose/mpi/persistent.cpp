// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/transfers.hpp"
#include "lib/interpose/mpi/uses/layout.hpp"

#include "checker/memory/spin_lock.hpp"

#include <optional>
#include <unordered_map>
#include <utility>

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;

namespace {

struct Prepared {
  memory::SpinLock lock;
  std::unordered_map<Handle, Uses> by_handle;
  std::unordered_map<Handle, persistent::Partitions> partitioned;
};
Prepared& prepared_ones() {
  static auto* const the = new Prepared; // never destroyed
  return *the;
}

std::optional<Uses> uses_of(Handle request) {
  const tool::InsideTool inside;
  Prepared& all = prepared_ones();
  const memory::SpinGuard guard(all.lock);
  const auto found = all.by_handle.find(request);
  return found == all.by_handle.end() ? std::nullopt : std::optional(found->second);
}

constinit Function<int(void*)> real_start{"MPI_Start"};
constinit Function<int(int, void*)> real_startall{"MPI_Startall"};

} // namespace

namespace fletcher::interpose::mpi::persistent {

void prepared(const RequestVariables& request, Uses uses) {
  const tool::InsideTool inside;
  Prepared& all = prepared_ones();
  const memory::SpinGuard guard(all.lock);
  all.partitioned.erase(request.handle());
  all.by_handle.insert_or_assign(request.handle(), std::move(uses));
}

void expect_inactive(const Call& call, const RequestVariables& requests, int count) {
  for (std::size_t i = 0; call && count > 0 && i < static_cast<std::size_t>(count); ++i) {
    const Handle handle = requests.at(i).handle();
    if (!uses_of(handle)) continue;
    if (const Address since = operations::pending_since(handle))
      call.mistaken(mpi_function(call.function()) + ", called by {task}, starts a request that is active",
                    "wait for it before it is started again", since,
                    "it was started here, and no call has completed it");
  }
}

void started(const Call& call, const RequestVariables& requests, int count) {
  for (std::size_t i = 0; count > 0 && i < static_cast<std::size_t>(count); ++i) {
    const RequestVariables one(requests.at(i));
    if (const auto uses = uses_of(one.handle()))
      operations::begin(call, one, *uses);
    else if (const auto parts = partitions_of(one.handle()); parts && parts->kind == access::Kind::write)
      for (int k = 0; k < parts->partitions; ++k) operations::begin_partition(call, one.handle(), k, parts->uses(k));
  }
}

Uses Partitions::uses(int partition) const {
  Uses out;
  const char* const part = static_cast<const char*>(buffer) + partition * count * Layout(type).extent();
  kind == access::Kind::read ? out.reads(part, count, type) : out.writes(part, count, type);
  return out;
}

void prepared(const RequestVariables& request, const Partitions& partitions) {
  const tool::InsideTool inside;
  Prepared& all = prepared_ones();
  const memory::SpinGuard guard(all.lock);
  all.by_handle.erase(request.handle());
  all.partitioned.insert_or_assign(request.handle(), partitions);
}

std::optional<Partitions> partitions_of(Handle request) {
  const tool::InsideTool inside;
  Prepared& all = prepared_ones();
  const memory::SpinGuard guard(all.lock);
  const auto found = all.partitioned.find(request);
  return found == all.partitioned.end() ? std::nullopt : std::optional(found->second);
}

void forget(Handle request) {
  const tool::InsideTool inside;
  Prepared& all = prepared_ones();
  const memory::SpinGuard guard(all.lock);
  all.by_handle.erase(request);
  all.partitioned.erase(request);
}

} // namespace fletcher::interpose::mpi::persistent

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] int MPI_Start(void* request) {
  const Call call(caller(), real_start.name());
  persistent::expect_inactive(call, request, 1);
  const int error = real_start(request);
  if (call && error == success) persistent::started(call, request, 1);
  return error;
}
[[gnu::weak]] int MPI_Startall(int count, void* requests) {
  const Call call(caller(), real_startall.name());
  persistent::expect_inactive(call, requests, count);
  const int error = real_startall(count, requests);
  if (call && error == success) persistent::started(call, requests, count);
  return error;
}

} // extern "C"
#pragma GCC visibility pop

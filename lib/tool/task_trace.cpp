// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/task_trace.hpp"

#include <time.h>

#include <algorithm>
#include <utility>

namespace fletcher::tool {

namespace {

graph::Nanoseconds now() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<graph::Nanoseconds>(t.tv_sec) * 1'000'000'000 + static_cast<graph::Nanoseconds>(t.tv_nsec);
}

/// For locks, since the thread's last record.
struct Waited {
  graph::Nanoseconds since = 0, time = 0;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Waited waited{};

} // namespace

std::span<graph::Record> TaskTrace::room(std::size_t records) {
  if (!records_ || is_full()) return {};
  const std::size_t first = used_.fetch_add(records, std::memory_order_relaxed);
  if (first + records > most) return {};
  return {records_.data() + first, records};
}

void TaskTrace::publish(graph::Record& place, graph::RecordKind kind) {
  place.time = now();
  place.waited = std::exchange(waited.time, 0);
  std::atomic_ref(place.kind).store(kind, std::memory_order_release);
}

void TaskTrace::waits(bool begin) {
  if (begin)
    waited.since = now();
  else if (const graph::Nanoseconds since = std::exchange(waited.since, 0); since != 0)
    waited.time += now() - since;
}

std::string_view TaskTrace::bytes() const noexcept {
  const std::size_t count = records_ ? std::min(used_.load(std::memory_order_acquire), most) : 0;
  return {reinterpret_cast<const char*>(records_.data()), count * sizeof(graph::Record)};
}

void TaskTrace::clear() noexcept {
  if (records_) records_.clear(0, std::min(used_.load(std::memory_order_relaxed), most));
  used_ = 0;
}

} // namespace fletcher::tool

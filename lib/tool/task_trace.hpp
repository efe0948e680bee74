// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the events that order tasks, with their times, for the drawing of the task graph (option graph): a table of
// limited size, which threads write without a lock and in the order of the events.
#pragma once

#include "checker/graph/trace.hpp"
#include "checker/memory/reserved.hpp"

#include <atomic>
#include <string_view>

namespace fletcher::tool {

class TaskTrace final : public graph::TraceWriter {
public:
  /// What is kept; whatever comes later is left out.
  std::string_view bytes() const noexcept;
  bool is_full() const noexcept { return used_.load(std::memory_order_relaxed) > most; }
  /// In a forked child: what its parent did is not its own.
  void clear() noexcept;

private:
  static constexpr std::size_t most = 1'000'000; ///< records: 40 MB here, twenty times that in the process that draws

  std::span<graph::Record> room(std::size_t records) override;
  void publish(graph::Record& place, graph::RecordKind kind) override;
  void waits(bool begin) override;

  memory::ReservedArray<graph::Record> records_{most};
  std::atomic<std::size_t> used_{0};
};

} // namespace fletcher::tool

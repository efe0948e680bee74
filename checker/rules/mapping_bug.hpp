// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mapping-bug: data that is used on a device or on the host where its value is not the one that the program means, or
// that is not there at all. Whether it shows depends on whether the device shares the host's memory. Follows what the
// runtime does to devices' memory, and accesses of both sides as far as they are seen: the device's where it is the
// host's own processor. Costs nothing until a device is used.
#pragma once

#include "checker/access/memory_map.hpp"
#include "checker/access/watcher.hpp"
#include "checker/constructs/execution.hpp"
#include "checker/mapping/device_memory.hpp"
#include "checker/mapping/known_lines.hpp"
#include "checker/rules/reporter.hpp"

#include <memory>

namespace fletcher::rules {

/// Thread-safe.
class MappingBug final : public access::Watcher {
public:
  MappingBug(constructs::Execution& execution, Reporter& reporter, const access::MemoryMap* memory)
      : execution_(execution), reporter_(reporter), memory_(memory) {}

  /// A device is in use from now on.
  void begin();
  void operation(const DataOp& e);
  void host_memory_changes(access::ThreadState& thread, Address address, std::size_t size);
  void accesses(access::ThreadState& thread, Address address, std::size_t size, access::Kind kind, Address pc,
                bool whole) override;
  /// The address on the host of what a device has a copy of there; of other memory its own.
  Address original(Address address);
  /// A device is in use.
  bool follows() const noexcept { return follows_.load(std::memory_order_relaxed); }

private:
  bool in_frame_of_host(const access::ThreadState& thread, Address address) const;
  void check_copied(access::ThreadState& thread, const DataOp& e);
  void on_host(access::ThreadState& thread, access::Bytes bytes, access::Kind kind, Address pc, mapping::Extent extent);
  void on_device(access::ThreadState& thread, access::Bytes bytes, access::Kind kind, Address pc,
                 mapping::Extent extent);
  void off_device(access::ThreadState& thread, access::Bytes bytes, access::Kind kind, Address pc);
  std::optional<mapping::Problem> nowhere(access::Bytes bytes);
  using Word = mapping::DeviceMemory::Word;
  bool is_set_by_hand(const Word& word);
  bool are_set_by_hand(const mapping::Problem& problem);
  void settle_pointers(Address on_device);
  void report(access::ThreadState& thread, const mapping::Problem& problem, access::Kind kind, Address pc);
  void report_host_memory(access::ThreadState& thread, access::Bytes bytes, access::Kind kind, Address pc,
                          ContextId mapped_at);
  AccessDescription describe_access(access::ThreadState& thread, access::Kind kind, Address pc, Address address,
                                    std::size_t size);
  Stack stack(ContextId place) const { return execution_.calls().stack(place); }

  constructs::Execution& execution_;
  Reporter& reporter_;
  const access::MemoryMap* memory_; ///< null: nothing is known about the process's memory
  std::atomic<bool> follows_{false};
  memory::SpinLock lock_; ///< of `devices_`
  mapping::DeviceMemory devices_;
  std::unique_ptr<mapping::KnownLines> known_; ///< since begin(); forgets while `lock_` is held
};

} // namespace fletcher::rules

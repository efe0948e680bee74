// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rules ask the process about memory: whether it is there for every thread of a team alike, whether it may
// come to be something else, and whether it is the program's at all. Implemented by the library, which sees allocations
// and modules; relies on ids.hpp only.
#pragma once

#include "checker/ids.hpp"

namespace fletcher::access {

/// A stretch of memory of which one answer holds. Empty, if asked for no thread: it is no memory.
struct MemoryExtent {
  Address begin = 0, end = 0;
  bool shared = false; ///< certainly: what cannot be known is not
  bool heap = false;   ///< a block that somebody allocated
};

/// Thread-safe. Asked when a candidate for a finding appears, which is rare.
class MemoryMap {
public:
  MemoryMap() = default;
  MemoryMap(const MemoryMap&) = delete;
  MemoryMap& operator=(const MemoryMap&) = delete;
  virtual ~MemoryMap() = default;
  /// The memory around `address`, which `thread` accessed in a parallel region. A module's variables are shared, and
  /// heap blocks that another thread allocated, or anybody outside of every parallel region. Stacks are not asked
  /// about.
  virtual MemoryExtent around(Address address, ThreadId thread) const = 0;
  /// In a module that is loaded: nobody else gets this memory as long as that is so.
  virtual bool is_static(Address address) const = 0;
  /// A static variable that can't be a store of nodes, because it is small: code accesses it by its name.
  virtual bool is_named(Address address) const = 0;
  /// A variable of the C++ library's own. Templates and inline functions of its headers, which are compiled with the
  /// program, fill caches there that the library keeps consistent by other means; the program cannot repair them.
  virtual bool is_cxx_library(Address address) const = 0;

  /// Code of an image for a device that is the host's own processor.
  virtual bool is_device_code(Address) const { return false; }
  /// A block of the heap, or a variable of the host's that devices can't find by its name; and whose it is.
  struct HeapBlock {
    enum class Owner : std::uint8_t { none, host, device, runtime }; ///< whose code allocated it; none: nobody now
    Owner owner = Owner::none;
    Address begin = 0, end = 0;
  };
  virtual HeapBlock heap_block(Address) const { return {}; }
  /// The word that is stored there now; 0 where nothing can be read. A system call.
  virtual Address word_at(Address) const { return 0; }
};

} // namespace fletcher::access

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a mapped byte's two copies, on the host and on a device, are worth: the state machine of Yu, Protze, Hatcher and
// Sarkar, ARBALEST: Dynamic Detection of Data Mapping Issues in Heterogeneous OpenMP Applications, IPDPS 2021. Here
// each copy has a state of its own that says why its value is not to be used.
#pragma once

#include <cstdint>

namespace fletcher::mapping {

/// The device's copy.
enum class OnDevice : std::uint8_t {
  valid,
  stale,     ///< the host has written since
  undefined, ///< nobody has written it: it was allocated, and not copied
};

/// The host's copy. One whose history is not known is valid.
enum class OnHost : std::uint8_t {
  valid,
  stale,     ///< the device has written since
  replaced,  ///< the host had written it, and an older value was copied back over that
  undefined, ///< an undefined value was copied back over it
};

struct ByteState {
  OnDevice device : 2 = OnDevice::valid;
  OnHost host : 2 = OnHost::valid;
  /// A pointer that the runtime has set to the device's copy of what it points to. The two copies always differ.
  bool attached : 1 = false;

  constexpr void host_writes() noexcept {
    host = OnHost::valid;
    if (device == OnDevice::valid && !attached) device = OnDevice::stale;
  }
  constexpr void device_writes() noexcept {
    device = OnDevice::valid;
    host = OnHost::stale;
    attached = false;
  }
  /// What the host has is what the program wants from now on, also where the device had something newer: it may have
  /// been scratch. Except for what is nobody's value.
  constexpr void copied_to_device() noexcept {
    attached = false;
    if (host == OnHost::undefined) {
      device = OnDevice::undefined;
      return;
    }
    host = OnHost::valid;
    device = OnDevice::valid;
  }
  constexpr void copied_to_host() noexcept {
    if (attached) {
      host = OnHost::valid; // the runtime gives the pointer its value back
      return;
    }
    switch (device) {
    case OnDevice::valid:
      host = OnHost::valid;
      return;
    case OnDevice::stale:
      host = OnHost::replaced;
      device = OnDevice::valid;
      return;
    case OnDevice::undefined:
      host = OnHost::undefined;
      return;
    }
  }
  constexpr void attach() noexcept {
    device = OnDevice::valid;
    host = OnHost::valid;
    attached = true;
  }

  friend constexpr bool operator==(ByteState, ByteState) noexcept = default;
};
static_assert(sizeof(ByteState) == 1);

/// The bits that a state has where the copy is not valid (ByteStates::none_has).
static_assert(OnDevice::valid == OnDevice{} && OnHost::valid == OnHost{});
inline constexpr ByteState invalid_on_device{.device = OnDevice{3}}, invalid_on_host{.host = OnHost{3}};

} // namespace fletcher::mapping

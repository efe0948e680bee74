// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/mapping/byte_states.hpp"

namespace fletcher::mapping {

namespace {

std::uint8_t bits(ByteState one) noexcept { return std::bit_cast<std::uint8_t>(one); }

} // namespace

// Most accesses end here, so there are no branches within a page: many bytes at once.
bool ByteStates::none_has(Part part, ByteState some) const noexcept {
  for (std::size_t at = part.begin; at < part.end;) {
    const Page& in = pages_[at / page];
    const std::size_t base = at / page * page, end = std::min(part.end, base + page);
    std::uint8_t all = bits(in.state);
    if (in.apart) {
      all = 0;
      for (std::size_t i = at - base; i < end - base; ++i) all |= bits(in.apart->states[i]);
    }
    if ((all & bits(some)) != 0) return false;
    at = end;
  }
  return true;
}

void ByteStates::written_by_host(Part part, ContextId place) {
  change(part, [](ByteState one) {
    one.host_writes();
    return one;
  });
  each_page(part, [&](Page& in, Part within, bool all) {
    if (!in.apart && in.host_writer == place) return;
    if (!in.apart && in.state.device == OnDevice::undefined) return; // nobody asks
    if (!in.apart && all) {
      in.host_writer = place;
      return;
    }
    if (!in.apart) take_apart(in);
    std::fill(in.apart->host_writers.begin() + static_cast<std::ptrdiff_t>(within.begin / granule),
              in.apart->host_writers.begin() + static_cast<std::ptrdiff_t>((within.end + granule - 1) / granule),
              place);
  });
}

void ByteStates::written_by_device(Part part, ContextId place) {
  ByteState written;
  written.device_writes(); // whatever it was before
  each_page(part, [&](Page& in, Part within, bool all) {
    if (!in.apart && in.state == written && in.device_writer == place) return;
    if (all && !in.apart) {
      in.state = written;
      in.device_writer = place;
      return;
    }
    if (!in.apart) take_apart(in);
    std::fill(in.apart->states.begin() + static_cast<std::ptrdiff_t>(within.begin),
              in.apart->states.begin() + static_cast<std::ptrdiff_t>(within.end), written);
    std::fill(in.apart->device_writers.begin() + static_cast<std::ptrdiff_t>(within.begin / granule),
              in.apart->device_writers.begin() + static_cast<std::ptrdiff_t>((within.end + granule - 1) / granule),
              place);
  });
}

void ByteStates::take_apart(Page& in) {
  auto made = std::make_unique<Apart>();
  made->states.fill(in.state);
  made->host_writers.fill(in.host_writer);
  made->device_writers.fill(in.device_writer);
  in.apart = std::move(made);
}

// Who wrote is not asked of what both sides have.
void ByteStates::join(Page& in, std::size_t used) {
  constexpr ByteState valid{};
  std::uint8_t all = 0;
  for (std::size_t i = 0; i < used; ++i) all |= bits(in.apart->states[i]);
  if (all != bits(valid)) return;
  in.apart.reset();
  in.state = valid;
}

} // namespace fletcher::mapping

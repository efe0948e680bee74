// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the bytes of a block are worth, and for each 8 of them the last known writer on either side. Most blocks are
// copied and used as a whole: a page has one state, until a part of it gets another one.
#pragma once

#include "checker/ids.hpp"
#include "checker/mapping/byte_state.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <vector>

namespace fletcher::mapping {

struct Part {
  std::size_t begin = 0, end = 0; ///< offsets in a block
  bool empty() const noexcept { return begin >= end; }
};

class ByteStates {
public:
  ByteStates(std::size_t size, OnDevice state) : size_(size), pages_((size + page - 1) / page) {
    for (Page& in : pages_) in.state.device = state;
  }

  std::size_t size() const noexcept { return size_; }
  ByteState operator[](std::size_t at) const noexcept {
    const Page& in = pages_[at / page];
    return in.apart ? in.apart->states[at % page] : in.state;
  }
  ContextId host_writer(std::size_t at) const noexcept {
    const Page& in = pages_[at / page];
    return in.apart ? in.apart->host_writers[at % page / granule] : in.host_writer;
  }
  ContextId device_writer(std::size_t at) const noexcept {
    const Page& in = pages_[at / page];
    return in.apart ? in.apart->device_writers[at % page / granule] : in.device_writer;
  }
  /// The stretch around `at` all bytes of which are known to have the state that it has.
  Part alike_around(std::size_t at) const noexcept {
    if (pages_[at / page].apart) return {at, at + 1};
    return {at / page * page, std::min(at / page * page + page, size_)};
  }
  /// No byte of the part has any of these bits set.
  bool none_has(Part part, ByteState some) const noexcept;

  /// Each state of the part becomes `to(state)`.
  template <class To> void change(Part part, To to) {
    each_page(part, [&](Page& in, Part within, bool all) {
      if (!in.apart) {
        const ByteState after = to(in.state);
        if (after == in.state) return;
        if (all) {
          in.state = after;
          return;
        }
        take_apart(in);
      }
      for (std::size_t i = within.begin; i < within.end; ++i) in.apart->states[i] = to(in.apart->states[i]);
      if (all) join(in, within.end);
    });
  }
  void written_by_host(Part part, ContextId place);
  void written_by_device(Part part, ContextId place);

private:
  static constexpr std::size_t page = 4096, granule = 8;
  struct Apart {
    std::array<ByteState, page> states;
    std::array<ContextId, page / granule> host_writers, device_writers;
  };
  struct Page {
    ByteState state{};
    ContextId host_writer = ContextId::none, device_writer = ContextId::none;
    std::unique_ptr<Apart> apart; ///< instead of these, where bytes differ
  };

  static void take_apart(Page& in);
  static void join(Page& in, std::size_t used);
  template <class Do> void each_page(Part part, Do visit) {
    for (std::size_t at = part.begin; at < part.end;) {
      const std::size_t base = at / page * page, end = std::min(part.end, base + page);
      visit(pages_[at / page], Part{at - base, end - base}, at == base && (end == base + page || end == size_));
      at = end;
    }
  }

  std::size_t size_;
  std::vector<Page> pages_;
};

} // namespace fletcher::mapping

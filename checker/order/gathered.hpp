// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tasks that ended know, for the task that waits for them. What threads' own memory told them is kept apart by
// thread until then: of two tasks of one thread the later one was told what the earlier one was, while what two threads
// were told differs in an entry for each of their tasks. Relies on knowledge.hpp.
#pragma once

#include "checker/order/knowledge.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace fletcher::order {

/// Not synchronised itself. Mostly empty, and a pointer then: each task has one.
class Gathered {
public:
  bool empty() const noexcept { return parts_ == nullptr; }
  void clear() noexcept { parts_.reset(); }
  /// O(threads), and as Knowledge::join for what is guaranteed and what locks told.
  void add(const Knowledge& known) {
    if (known.empty()) return;
    const std::uint32_t thread = known.passed_by();
    parts().rest.join(thread == 0 ? known : known.guaranteed());
    if (thread != 0) add(thread, known.observed());
  }
  /// All of `more`, which is empty then.
  void add(Gathered& more) {
    if (parts_ == nullptr || more.parts_ == nullptr) {
      if (parts_ == nullptr) parts_ = std::move(more.parts_);
      return;
    }
    const std::unique_ptr<Parts> from = std::move(more.parts_);
    parts_->rest.join(from->rest);
    for (const OfThread& one : from->passed) add(one.thread, one.told);
  }
  /// All of it, which is empty then. As Knowledge::join for each thread.
  Knowledge take() {
    if (parts_ == nullptr) return {};
    const std::unique_ptr<Parts> from = std::move(parts_);
    for (const OfThread& one : from->passed) from->rest.join(one.told);
    return std::move(from->rest);
  }
  /// Calls `f` with each Knowledge that it holds.
  template <class F> void each(F f) {
    if (parts_ == nullptr) return;
    f(parts_->rest);
    for (OfThread& one : parts_->passed) f(one.told);
  }

private:
  struct OfThread {
    std::uint32_t thread;
    Knowledge told;
  };
  struct Parts {
    Knowledge rest;
    std::vector<OfThread> passed;
  };
  Parts& parts() {
    if (parts_ == nullptr) parts_ = std::make_unique<Parts>();
    return *parts_;
  }
  void add(std::uint32_t thread, const Knowledge& told) {
    const auto at = std::ranges::find(parts_->passed, thread, &OfThread::thread);
    if (at == parts_->passed.end())
      parts_->passed.push_back({thread, told});
    else
      at->told.join(told);
  }

  std::unique_ptr<Parts> parts_;
};
static_assert(sizeof(Gathered) == sizeof(void*));

} // namespace fletcher::order

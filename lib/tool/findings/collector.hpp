// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the checker's findings wait for delivery: the first max_findings of them, and counts of all.
#pragma once

#include "checker/finding.hpp"
#include "checker/memory/spin_lock.hpp"

#include <atomic>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace fletcher::tool {

class Collector final : public FindingSink {
public:
  explicit Collector(std::size_t max_findings) : max_findings_(max_findings) {}

  void found(std::uint64_t serial, Finding finding) override;
  void again(std::uint64_t serial) override;
  /// One that ThreadSanitizer made.
  void add(Finding finding);

  /// A copy of the findings from the `first` on, in the order in which they were made.
  std::vector<Finding> findings(std::size_t first = 0) const;
  std::size_t size() const;
  /// An error was found, described or not.
  bool has_errors() const;
  /// Of ThreadSanitizer's, described or not.
  std::uint64_t added() const noexcept { return added_.load(std::memory_order_relaxed); }
  /// Distinct findings beyond the maximum.
  std::uint64_t left_out() const;
  void clear();

  /// Around fork(): no other thread of the parent holds the lock in the child.
  void lock() const { lock_.lock(); }
  void unlock() const { lock_.unlock(); }

private:
  void receive(std::uint64_t serial, Finding finding);
  void keep(std::uint64_t serial, Finding finding);

  mutable memory::SpinLock lock_;
  std::size_t max_findings_;
  std::vector<Finding> findings_;
  std::unordered_map<std::uint64_t, std::size_t> places_; ///< of serials in findings_
  std::atomic<std::uint64_t> added_{0};
  std::uint64_t left_out_ = 0;
  bool errors_ = false;
};

} // namespace fletcher::tool

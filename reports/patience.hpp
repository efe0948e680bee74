// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says what is being done where it takes so long that somebody may wonder.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace fletcher::reports {

/// A thread of its own reports a step that takes longer than `patience`, once.
class Patience {
public:
  /// `say` is called by that thread.
  Patience(std::chrono::milliseconds patience, std::function<void(const std::string&)> say)
      : patience_(patience), say_(std::move(say)) {}
  ~Patience() {
    {
      const std::lock_guard guard(lock_);
      over_ = true;
    }
    changed_.notify_all();
    if (teller_.joinable()) teller_.join();
  }
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  /// The next step begins.
  void step(std::string what) {
    {
      const std::lock_guard guard(lock_);
      what_ = std::move(what);
      ++steps_;
    }
    changed_.notify_all();
    if (!teller_.joinable()) teller_ = std::thread([this] { wait(); });
  }

private:
  void wait() {
    std::unique_lock guard(lock_);
    while (!over_) {
      const unsigned step = steps_;
      const auto is_over = [&] { return over_ || steps_ != step; };
      if (changed_.wait_for(guard, patience_, is_over)) continue;
      say_(what_);
      changed_.wait(guard, is_over);
    }
  }

  const std::chrono::milliseconds patience_;
  const std::function<void(const std::string&)> say_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::string what_;
  unsigned steps_ = 0;
  bool over_ = false;
  std::thread teller_;
};

} // namespace fletcher::reports

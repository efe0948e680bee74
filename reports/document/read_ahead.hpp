// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Documents one after the other, while the next ones are read: that takes most of the time of a report of many.
#pragma once

#include "reports/document/document.hpp"

#include <algorithm>
#include <deque>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace fletcher::reports {

class ReadAhead {
public:
  explicit ReadAhead(const std::vector<std::string>& paths) : paths_(paths) { fill(); }

  bool is_over() const noexcept { return reading_.empty(); }
  /// The path of what take() gives.
  const std::string& path() const { return paths_[taken_]; }
  Result<Document> take() {
    Result<Document> out = reading_.front().get();
    reading_.pop_front();
    ++taken_;
    fill();
    return out;
  }

private:
  void fill() {
    const std::size_t at_once = std::clamp(std::thread::hardware_concurrency(), 1U, 4U); // bounds the memory
    // A thread has its own part of the heap, which is not for others when it has ended: a single document has none.
    const std::launch how = paths_.size() > 1 ? std::launch::async | std::launch::deferred : std::launch::deferred;
    while (reading_.size() < at_once && begun_ < paths_.size())
      reading_.push_back(std::async(how, [path = paths_[begun_++]] { return read_document(path); }));
  }

  const std::vector<std::string>& paths_;
  std::deque<std::future<Result<Document>>> reading_;
  std::size_t begun_ = 0, taken_ = 0;
};

} // namespace fletcher::reports

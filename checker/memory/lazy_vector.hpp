// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector that most of its owners never use, in one pointer: for objects of which millions live at once.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace fletcher::memory {

template <class T> class LazyVector {
public:
  bool empty() const noexcept { return values_ == nullptr || values_->empty(); }
  std::size_t size() const noexcept { return values_ == nullptr ? 0 : values_->size(); }
  T* data() noexcept { return values_ == nullptr ? nullptr : values_->data(); }
  T* begin() noexcept { return data(); }
  T* end() noexcept { return data() + size(); }
  const T* begin() const noexcept { return values_ == nullptr ? nullptr : values_->data(); }
  const T* end() const noexcept { return begin() + size(); }
  T& back() noexcept { return values_->back(); }
  const T& back() const noexcept { return values_->back(); }
  T& front() noexcept { return values_->front(); }
  const T& front() const noexcept { return values_->front(); }
  void push_back(T value) {
    if (values_ == nullptr) values_ = std::make_unique<std::vector<T>>();
    values_->push_back(std::move(value));
  }
  T& emplace_back() {
    if (values_ == nullptr) values_ = std::make_unique<std::vector<T>>();
    return values_->emplace_back();
  }
  void pop_back() noexcept { values_->pop_back(); }
  void erase(const T* at) noexcept { values_->erase(values_->begin() + (at - values_->data())); }
  /// Keeps its memory, as a vector does.
  void clear() noexcept {
    if (values_ != nullptr) values_->clear();
  }

private:
  std::unique_ptr<std::vector<T>> values_;
};

} // namespace fletcher::memory

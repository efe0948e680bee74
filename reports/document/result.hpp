// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value or one clear line that says why there is none: what every fallible function of reports/ returns. Relies on
// the standard library only (C++20 has no std::expected yet).
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace fletcher::reports {

/// One line for a person, without a final full stop or newline.
struct Error {
  std::string line;
};

template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const noexcept { return state_.index() == 0; }
  T& operator*() { return std::get<0>(state_); }
  const T& operator*() const { return std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const std::string& error() const { return std::get<1>(state_).line; }

private:
  std::variant<T, Error> state_;
};

/// Nothing to return but success.
struct Done {};

} // namespace fletcher::reports

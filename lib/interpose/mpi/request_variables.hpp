// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests where the program keeps them: one variable, or an array.
#pragma once

#include "lib/interpose/mpi/library.hpp"

namespace fletcher::interpose::mpi {

/// Fortran's are integers.
enum class Language : std::uint8_t { c, fortran };

class RequestVariables {
public:
  RequestVariables(const void* first, Language language = Language::c) noexcept : first_(first), language_(language) {}

  /// As C's functions would take it.
  Handle handle(std::size_t index = 0) const;
  const void* variable(std::size_t index = 0) const noexcept {
    return static_cast<const char*>(first_) + index * size_of_one();
  }
  RequestVariables at(std::size_t index) const noexcept { return {variable(index), language_}; }
  std::size_t size_of_one() const noexcept { return language_ == Language::fortran ? 4 : abi()->handle_size(); }

private:
  const void* first_;
  Language language_;
};

} // namespace fletcher::interpose::mpi

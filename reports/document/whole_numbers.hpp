// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nlohmann/json is to do with numbers in files that anybody may have written.
#pragma once

#include <nlohmann/json.hpp>

namespace fletcher::reports {

/// For the parser: numbers that are not whole, or too large, count as if they were not there. No reader expects one,
/// and what an integer would become of it is undefined.
template <class Json> bool whole_numbers(int /*depth*/, typename Json::parse_event_t /*event*/, Json& value) {
  return !value.is_number_float();
}

} // namespace fletcher::reports

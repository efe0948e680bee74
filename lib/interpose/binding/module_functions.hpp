// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that a module of the process shows, and where its code is.
#pragma once

#include "checker/ids.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace fletcher::interpose {

struct Extent {
  Address at;
  std::size_t size;
};
struct Function {
  std::string_view name; ///< ends with a null character, and lives as long as the module is loaded
  Extent extent;
};

/// Thousands in a program that has ThreadSanitizer's runtime, and they are looked for at each start.
class Functions {
public:
  /// The first one of a name counts.
  void add(const Function& function);
  /// Null: there is none.
  const Extent* find(std::string_view name) const noexcept;
  Extent* find(std::string_view name) noexcept { return const_cast<Extent*>(std::as_const(*this).find(name)); }
  bool contains(std::string_view name) const noexcept { return find(name) != nullptr; }
  auto begin() const noexcept { return all_.begin(); }
  auto end() const noexcept { return all_.end(); }

private:
  std::size_t slot_of(std::string_view name) const noexcept;

  std::vector<Function> all_;
  std::vector<std::uint32_t> slots_; ///< places in all_, from 1 on; 0: none. At least twice as many as functions
};

struct Module {
  bool executable = false;
  Address code_begin = 0, code_end = 0; ///< whole pages
  Functions functions;                  ///< that it shows
};

/// The one whose code the address is in; empty where there is none.
Module module_around(Address code);

/// Leaves `function` as it is where the module has none of that name.
template <class Function> void find(const Module& module, std::string_view name, Function*& function) {
  if (const Extent* const found = module.functions.find(name)) function = reinterpret_cast<Function*>(found->at);
}

} // namespace fletcher::interpose

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accesses of one cause that nothing excludes from each other, as the repairs of such causes look at them.
#pragma once

#include "reports/repair/repair.hpp"
#include "reports/repair/source/directives/directive_text.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fletcher::reports {

struct Accesses {
  Accesses(const Group& group, Codes& codes);

  const Diagnostic& leader;
  Codes& codes;
  const Code& code;
  std::vector<Site> sites;
  std::string name; ///< of the variable; empty where the functions have other names for its memory

  bool of_threads() const;
  bool some_atomic() const;
  /// What the first of the accesses changes, by the name that stands there.
  std::string first_target() const;
  /// The functions have another name for the memory, by a pointer or as a member of their object.
  bool is_known_otherwise() const;
  /// The innermost construct around all sites, if it is the same one.
  std::optional<DirectiveText> construct() const;
};

bool is_atomic(const Site& site);

} // namespace fletcher::reports

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the text of a function tells about data that it maps: which variable a finding is about, where the host and the
// device set it, and what is around a line.
#pragma once

#include "reports/repair/repair.hpp"
#include "reports/repair/source/directives/map_clause.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

class MappedData {
protected:
  MappedData(const Diagnostic& leader, Codes& codes)
      : leader_(leader), code_(codes.of(leader.place.file)), line_(leader.place.line) {}

  bool says(std::string_view what) const { return leader_.message.find(what) != std::string::npos; }
  const Note* note(std::string_view message) const;
  /// The variable by the words of the line: the one that is mapped somewhere in the function, and that stands where the
  /// access is, or is the only one.
  std::string name() const;
  /// The text assigns to an element of the variable, or hands it to a function. "p = malloc(...)" says nothing of what
  /// is there.
  bool is_set(const Extent& in) const;
  bool host_sets(const Extent& in) const;
  bool device_sets() const;
  /// What the function has the device execute.
  std::vector<Extent> target_bodies() const;
  std::optional<DirectiveText> target_around() const;
  /// A region of data, or the code of the device, that the line is in.
  bool is_around(const Mapping& one, std::uint32_t line) const;
  /// The item of a target construct in another function that maps, changes and unmaps the data.
  std::optional<Mapping> mapping_elsewhere() const;
  /// A variable of the device's own, by a declare target around its declaration.
  bool is_declared_for_device() const;

  const Diagnostic& leader_;
  const Code& code_;
  std::uint32_t line_;
  Extent function_;
  std::string name_;
  std::vector<Mapping> all_;
};

} // namespace fletcher::reports

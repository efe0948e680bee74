// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file as it is and as edits leave it, and where that what was recorded in it stands then.
#pragma once

#include "reports/repair/repair.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fletcher::reports {

class EditedSource {
public:
  /// All edits are of one file.
  EditedSource(const std::vector<Edit>& edits, Codes& codes);
  EditedSource(const EditedSource&) = delete;
  EditedSource& operator=(const EditedSource&) = delete;

  const Code& before() const noexcept { return before_; }
  const Code& after() const noexcept { return after_; }
  Codes& unedited() const noexcept { return all_; }
  /// Of the edited file alone.
  Codes& edited() const noexcept { return codes_; }
  /// The line that has what stood in a line of the file: where it was moved to, or its own. Nothing for what is gone.
  std::optional<std::uint32_t> now(std::uint32_t line) const;

private:
  Codes& all_;
  const Code& before_;
  SourceText text_;
  std::vector<std::uint32_t> now_; ///< by line; 0 for what is gone
  mutable Codes codes_;
  const Code& after_;
};

} // namespace fletcher::reports

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Documents made by hand, and a stand-in for llvm-symbolizer that answers from the offset alone, so that tests of texts
// need no compiler: in the module "app", offset 16 * line + column is that place of sample.c, in the function f<line /
// 10>; data at offset 0x9000 and above is the 40-byte variable 'table'.
#pragma once

#include "reports/document/document.hpp"

#include <filesystem>
#include <string>

namespace fletcher::reports {

/// A folder of its own for a test, removed at its end. Holds sample.c (60 numbered lines) and the stand-in.
class Workspace {
public:
  Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace();

  const std::filesystem::path& folder() const { return folder_; }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::string symbolizer() const { return file("symbolizer"); }
  /// A new file with this content; returns its path.
  std::string write(const std::string& name, const std::string& content) const;
  /// A run of `app` with the findings.
  Document document(std::vector<Finding> findings) const;

private:
  std::filesystem::path folder_;
};

inline constexpr Address app_base = 0x500000;

/// A pc at the place of sample.c, as a return address (one byte after).
constexpr Address pc_at(Address line, Address column) { return app_base + 16 * line + column + 1; }
inline constexpr Address table_address = app_base + 0x9000;

TaskDescription task_at(TaskKind kind, std::uint32_t id, Address line, std::uint32_t thread_number = 0);
AccessDescription access_at(AccessType type, Address line, TaskDescription task);

/// A write at line 41 in a task created at line 40 and a read at line 52 in a task created at line 50, of table[3].
Finding race();
/// With every field of every part filled in.
Finding full_finding();
/// One finding of every rule and every cause.
std::vector<Finding> one_of_each();

std::string read_whole(const std::string& path);

} // namespace fletcher::reports

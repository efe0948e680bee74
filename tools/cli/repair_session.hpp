// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tries the edits of a report on the sources: makes them, builds, runs again, keeps those that removed their finding
// and brought no other, and takes back the rest.
#pragma once

#include "reports/explanation/diagnostic.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fletcher::cli {

struct RepairOptions {
  std::filesystem::path root;       ///< no file outside of it is changed
  std::string build;                ///< for sh -c
  std::vector<std::string> command; ///< the program to check, with its arguments
  std::string suppressions;         ///< file; empty: none
};

/// What became of one change.
struct Trial {
  std::string place, change; ///< "a.c:7", "add '#pragma omp taskwait' before this line"
  bool kept = false;
  std::string reason; ///< why it was taken back
};

class RepairSession {
public:
  RepairSession(RepairOptions options, std::filesystem::path folder)
      : options_(std::move(options)), folder_(std::move(folder)) {}

  /// Builds and runs for the first time. Otherwise a line says why there is nothing to work with.
  std::optional<std::string> begin();
  /// The edits that can be made now, as a difference.
  std::string difference();
  /// Until no change is left to try.
  void repair();

  const std::vector<Trial>& trials() const noexcept { return trials_; }
  const std::vector<reports::Diagnostic>& left() const noexcept { return findings_; }
  std::size_t found() const noexcept { return found_; }
  std::string shown(const reports::SourcePlace& place) const;

private:
  /// How many findings there are of each kind, by what an edit elsewhere does not change.
  using Kinds = std::map<std::string, std::size_t>;
  struct Result {
    std::vector<reports::Diagnostic> findings;
    int status = 0;
  };

  bool build();
  /// Empty: it was not built, or did not come to its end; `problem_` says why.
  std::optional<Result> run();
  /// Those with edits in files below the root that nobody refused, and that name no line twice.
  std::vector<reports::Diagnostic> candidates() const;
  bool is_allowed(const std::string& file) const;
  std::filesystem::path path_of(const std::string& file) const;
  /// Makes the edits of all, builds and runs. True: they are kept.
  bool attempt(const std::vector<reports::Diagnostic>& all);
  std::string objection(const std::vector<reports::Diagnostic>& all, const Result& now) const;
  void remember(const std::vector<reports::Diagnostic>& all, bool kept);
  static std::string kind(const reports::Diagnostic& diagnostic);
  static Kinds kinds(const std::vector<reports::Diagnostic>& findings);

  RepairOptions options_;
  std::filesystem::path folder_; ///< for documents and logs
  std::vector<reports::Diagnostic> findings_;
  std::size_t found_ = 0;
  int status_ = 0;
  double seconds_ = 0;
  std::string problem_;
  std::set<std::vector<reports::Edit>> refused_;
  std::vector<Trial> trials_;
};

} // namespace fletcher::cli

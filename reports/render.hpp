// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From documents to reports: the one entry that `fletcher render` calls.
#pragma once

#include "reports/explanation/diagnostic.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fletcher::reports {

enum class Color : std::uint8_t { automatic, always, never };

struct RenderOptions {
  std::vector<std::string> documents; ///< paths; their findings are merged
  bool console = true;                ///< the text form on standard error
  std::string text;                   ///< file for the text form; empty: none
  std::string sarif;                  ///< file for SARIF; empty: none
  std::string html;                   ///< file for the web page; empty: none
  std::string junit;                  ///< file for JUnit's form; empty: none
  std::string gitlab;                 ///< file for GitLab's code quality report; empty: none
  bool github = false;                ///< GitHub's annotations on standard output
  std::string graph;                  ///< file for the task graph, its form by its ending; empty: none
  std::string trace;                  ///< what the task graph is made of; of the first document's run
  Color color = Color::automatic;     ///< of the console; automatic: if it is a terminal
  std::string symbolizer;             ///< empty: see find_symbolizer
  std::string frame_variables;        ///< the program that names stack variables; empty: they have no names
  std::string source_root;            ///< names below are shown relative to it; empty: the first run's directory
  std::string suppressions;           ///< file; empty: none
  std::string ignore_list;            ///< file, clang's special case list; empty: none
  std::string baseline;               ///< SARIF file of an earlier run; empty: none
  bool group = true;                  ///< findings of one cause are one diagnostic
  bool verbose = false;               ///< say what was checked even if there is nothing to report
  bool status_tells_errors = false;   ///< return render_errors where errors are left
  bool status_tells_untold = false;   ///< add render_untold where the text could not be written
  bool says_steps = true;             ///< a line on standard error about what takes long
};

/// What render() returns, and with it `fletcher render`.
enum RenderStatus : int {
  render_done = 0,
  render_errors = 1, ///< done, and an error is left after suppressions and baseline; only if asked for
  render_failed = 2, ///< a document could not be read: what it holds was not reported
  render_untold = 4, ///< added to the first two: standard error did not take the text; only if asked for
};

/// Reads, explains and writes. Every problem is one line on standard error; the text goes there too if its file
/// cannot be written. Throws nothing.
int render(const RenderOptions& options) noexcept;

/// What render() would report, without writing anything but problems. Throws what reading throws.
std::vector<Diagnostic> findings_of(const RenderOptions& options);

struct Report {
  std::vector<Diagnostic> diagnostics;
  SourceText sources;
};

/// A report of documents that come one after the other.
class Accumulation {
public:
  /// With the documents that the options name.
  explicit Accumulation(RenderOptions options);
  ~Accumulation();
  Accumulation(const Accumulation&) = delete;
  Accumulation& operator=(const Accumulation&) = delete;

  /// `command` starts such a run again. False: the document could not be read, which a line on standard error says.
  bool add(const std::string& document, const std::string& command);
  /// What there is to report so far.
  std::vector<Diagnostic> findings() const;
  /// The same, with the sources, for the last time; an error where a document could not be read.
  Result<Report> report();
  /// As render() does, at the end.
  int write();

private:
  class Rendering;
  std::unique_ptr<Rendering> rendering_;
};

/// What render() would report, with the sources; an error where a document could not be read.
Result<Report> report_of(const RenderOptions& options);

} // namespace fletcher::reports

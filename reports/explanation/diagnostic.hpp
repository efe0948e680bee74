// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A diagnostic: what a reader reads. A finding with names, sentences and places, the same for every output form. Made
// from findings and their symbols; equal ones are merged.
#pragma once

#include "reports/document/document.hpp"
#include "reports/explanation/lineage.hpp"
#include "reports/source/source_text.hpp"
#include "reports/symbols/symbols.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace fletcher::reports {

/// One side of a race, a task's creation, an object's declaration, a step, a cause: a sentence at a place.
struct Note {
  enum class Kind : std::uint8_t { other_access, creation, lock, object, step, cause, fix };
  Kind kind = Kind::step;
  std::string message;
  std::vector<Frame> stack; ///< innermost first; empty for a place without code (a declaration)
  SourcePlace place;        ///< the frame of the stack that a reader should look at
};

/// A change that can be made as it stands: a line to insert before a line, or in its place. Nothing in the place of a
/// line takes it out.
struct Edit {
  SourcePlace place;
  std::string text;      ///< with its indentation, without a newline
  bool replaces = false; ///< the line at the place goes

  bool removes() const noexcept { return replaces && text.empty(); }
  friend auto operator<=>(const Edit& a, const Edit& b) {
    return std::tie(a.place.file, a.place.line, a.text, a.replaces) <=>
           std::tie(b.place.file, b.place.line, b.text, b.replaces);
  }
  friend bool operator==(const Edit& a, const Edit& b) { return (a <=> b) == 0; }
};

/// One access of a race as it stands in the source: what a repair looks at.
struct Site {
  SourcePlace place;
  AccessType type = AccessType::read;
  SourcePlace construct; ///< that made its task, or began its region
  TaskKind task = TaskKind::explicit_;
  struct Lock {
    MutexKind kind = MutexKind::lock;
    SourcePlace acquired;
  };
  std::vector<Lock> locks;
  bool in_call = false; ///< made by a function that the place calls, and not by what stands there itself
};

/// What the same cause brings about elsewhere: a sentence at a place.
struct Also {
  std::string message; ///< what does not stand in the diagnostic already
  Rule rule = Rule::data_race;
  std::vector<Frame> stack;
  SourcePlace place;
  std::uint64_t count = 1;
};

/// Whether an earlier report (the baseline) had it too.
enum class Novelty : std::uint8_t { not_compared, fresh, unchanged };

struct Diagnostic {
  Rule rule = Rule::data_race;
  Severity severity = Severity::error;
  Cause cause = Cause::unknown;
  bool predicted = false;
  bool between_teams = false; ///< of a league
  std::string message;        ///< a sentence without place, count and rule
  std::vector<Frame> stack;
  SourcePlace place;
  std::vector<Note> notes;               ///< of a race, the first is the other access
  std::string variable;                  ///< empty where unknown
  SourcePlace declared;                  ///< the variable; unknown where it has no name
  bool whole_variable = false;           ///< an access is to all of it
  std::uint64_t lane_distance = 0;       ///< of a race between lanes: how many iterations are between the accesses
  std::vector<Site> sites;               ///< of a race, in the order of the participants
  std::vector<Edit> edits;               ///< of one change: all of them, or none
  std::vector<Participant> participants; ///< of a race, the access at `place` is the first
  std::vector<Also> also;                ///< causes.hpp; empty where each pair of places is a diagnostic of its own
  std::uint64_t count = 1;
  std::vector<std::uint32_t> runs; ///< that found it, in ascending order; numbers of the report's runs
  std::string fingerprint;         ///< survives edits elsewhere in the file (fingerprint.hpp)
  Novelty novelty = Novelty::not_compared;
  bool suppressed = false; ///< by the user's suppressions; SARIF still carries it, text does not

  /// Whether it speaks against the program: counts in the summary and for the exit status.
  bool counts() const noexcept { return !suppressed && novelty != Novelty::unchanged; }
};

/// "file" of a diagnostic line for a place that may lack a source: then module+0xoffset, and line 0.
std::string shown_file(const SourceText& sources, const SourcePlace& place, const std::vector<Frame>& stack);

/// The frame that a reader should look at: the innermost one in the program's own sources (not in system headers),
/// else the innermost one with a line, else the innermost.
const Frame* frame_of_interest(const std::vector<Frame>& stack);

/// Of a run of calls inside system headers, the one that the program made is enough.
std::vector<Frame> worth_showing(const std::vector<Frame>& frames);

/// As a reader knows the function; empty where it has no name.
std::string frame_name(const Frame& frame);

/// How much the tool could see, as it reads after "level".
std::string_view level_words(Level level);

/// "seen 5 times". Of races not all repetitions are counted: "at least".
std::string times_seen(Rule rule, std::uint64_t count);

/// The note that says what to change, in forms that show it at the finding's line: with the line that "here" means.
std::string fix_with_line(const Note& fix, const SourcePlace& seen_from);

/// "2 errors, 1 warning, 3 suppressed".
std::string total_words(const std::vector<Diagnostic>& diagnostics);

/// Whether a file belongs to the compiler or the system, not to the program.
bool is_system_header(const std::string& file);

/// A race inside the C++ library's own means of synchronisation, which is not the program's.
bool is_of_the_library(const Diagnostic& diagnostic);

/// Explains every finding of the document: one for each, nothing where it is none after all.
std::vector<std::optional<Diagnostic>> diagnose_each(const Document& document, const SymbolTable& symbols,
                                                     SourceText& sources);

/// Those that there are.
std::vector<Diagnostic> diagnose(const Document& document, const SymbolTable& symbols, SourceText& sources);

/// What two diagnostics that are one have in common: adds the count and the runs of the second.
void add_occurrences(Diagnostic& to, std::uint64_t count, const std::vector<std::uint32_t>& runs);

/// Equal rule and equal pair of places: one diagnostic, counts added. The result is in a stable order: errors before
/// warnings, then by file and line.
std::vector<Diagnostic> merged(std::vector<Diagnostic> diagnostics);

} // namespace fletcher::reports

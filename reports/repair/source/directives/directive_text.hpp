// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A directive of OpenMP as it stands in a file, over several lines where it is continued: its construct, its clauses,
// and the edits that change a clause in its place.
#pragma once

#include "reports/explanation/diagnostic.hpp"
#include "reports/repair/source/code.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

struct Clause {
  std::string name;
  std::string arguments; ///< without parentheses; empty for none
  Position begin, end;
};

class DirectiveText {
public:
  /// The directive that begins at a line.
  static std::optional<DirectiveText> at(const Code& code, std::uint32_t line);
  /// The constructs around a line, from the innermost one outward.
  static std::vector<DirectiveText> around(const Code& code, std::uint32_t line);

  std::uint32_t first_line() const noexcept { return first_; }
  std::uint32_t last_line() const noexcept { return last_; }
  bool is(std::string_view word) const;
  /// `taskwait`, `barrier` and the like have no statement.
  bool stands_alone() const;
  /// Iterations are shared among threads, or among tasks.
  bool shares_a_loop() const;
  const std::vector<Clause>& clauses() const noexcept { return clauses_; }
  const Clause* clause(std::string_view name) const;
  /// A clause other than `shared` names the variable.
  bool names_besides_shared(std::string_view variable) const;
  /// The name of a critical construct; empty for none.
  const std::string& argument() const noexcept { return argument_; }
  /// The statement that belongs to it.
  std::optional<Extent> body(const Code& code) const;

  /// The line that changes: a clause more, behind the last one.
  std::optional<Edit> with(const Code& code, const std::string& clause) const;
  /// The same with a variable taken out of the list of a `shared` clause.
  std::optional<Edit> with_instead_of_shared(const Code& code, const std::string& clause,
                                             std::string_view variable) const;
  std::optional<Edit> without(const Code& code, std::string_view clause) const;
  std::optional<Edit> with_replaced(const Code& code, const Clause& clause, const std::string& by) const;
  /// The construct and its clauses; nothing where they are of several lines.
  std::optional<Edit> replaced_by(const Code& code, const std::string& construct) const;
  /// A construct in front of it, as one combined construct.
  std::optional<Edit> with_construct(const Code& code, const std::string& word) const;
  /// A combined construct without one of its parts, or, where it is all that there is, no construct. Nothing where a
  /// clause says more than that part alone can do without.
  std::optional<Edit> without_construct(const Code& code, std::string_view word) const;
  /// A critical construct with another name; empty: with none.
  std::optional<Edit> renamed(const Code& code, const std::string& name) const;

private:
  std::uint32_t first_ = 0, last_ = 0;
  std::vector<std::string> words_;
  std::vector<Position> word_begins_;
  std::string argument_;
  Position end_;
  Position argument_begin_, argument_end_;
  std::vector<Clause> clauses_;
};

/// How many critical constructs of a file have this name.
std::size_t criticals(const Code& code, const std::string& name);
/// A line of OpenMP in the extent has the word.
bool has_directive_with(const Code& code, const Extent& in, std::string_view word);

} // namespace fletcher::reports

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What edits add to a program: the constructs, waits, clauses and locks that stand in the source with them. Lines are
// those of the source without them; what is inserted before a line comes behind the line above.
#pragma once

#include "reports/repair/repair.hpp"
#include "reports/repair/source/directives/directive_text.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fletcher::reports {

/// A construct, and the lines that it is around.
struct Construct {
  DirectiveText directive;
  Extent body;
  std::uint32_t line = 0; ///< where it begins; of an inserted one the line behind it
  bool is_new = false;
};

/// A line that waits: taskwait, barrier.
struct Wait {
  DirectiveText directive;
  std::uint32_t before = 0; ///< the first line behind it
  bool is_new = false;
};

class Change {
public:
  /// Nothing where the edits are of several files.
  static std::optional<Change> of(const std::vector<Edit>& edits, Codes& codes);
  /// The source as it is.
  static Change none(const Code& code) { return Change(code); }

  const Code& code() const noexcept { return *code_; }
  /// The edits also change other code than directives and locks: what that means is not known.
  bool changes_statements() const noexcept { return changes_statements_; }

  /// Nothing but constructs in which one excludes the other.
  bool only_excludes() const;

  /// The directive that begins at a line; nothing for one that the edits take away.
  std::optional<DirectiveText> directive_at(std::uint32_t line) const;
  /// Whether it has another text than before.
  bool is_changed(std::uint32_t line) const { return directives_.contains(line); }
  /// The construct whose directive begins at a line of the source.
  std::optional<Construct> construct_at(std::uint32_t line) const;
  /// The constructs that the edits put in.
  const std::vector<Construct>& new_constructs() const noexcept { return constructs_; }
  /// The constructs around the code of a line, from the innermost one outward.
  std::vector<Construct> around(std::uint32_t line) const;
  /// The stand-alone waits behind one line and not behind another.
  std::vector<Wait> waits_between(std::uint32_t from, std::uint32_t to) const;
  /// One iteration only, or one team, now executes the statement of the line.
  bool is_guarded_at(std::uint32_t line) const { return guarded_.contains(line); }
  /// The block of the line has a variable of its own now, which is declared above the line.
  bool has_local(const std::string& name, std::uint32_t line) const;
  /// The locks that are set on the way from the beginning of its function to the line, by their names.
  std::vector<std::string> locks_at(std::uint32_t line) const;

private:
  explicit Change(const Code& code) : code_(&code) {}
  void read_inserted(const std::vector<Edit>& edits);
  bool has_inserted(std::uint32_t line, std::string_view text) const;
  /// The critical construct whose block ended in this line, which the edits take away, and ends further down now.
  std::optional<Construct> lengthened(std::uint32_t end) const;
  void read_replaced(const std::vector<Edit>& edits);

  const Code* code_;
  std::vector<Construct> constructs_;
  std::vector<Wait> waits_;
  std::map<std::uint32_t, std::optional<DirectiveText>> directives_; ///< those that are replaced, by their first lines
  std::multimap<std::uint32_t, std::string> inserted_, replaced_;    ///< other code
  std::set<std::uint32_t> guarded_;
  std::map<std::uint32_t, std::string> locals_; ///< what a statement declares that only set it before, by its line
  bool changes_statements_ = false;
};

} // namespace fletcher::reports

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A source file as a repair reads it: code without comments and strings, statements, blocks, and where a variable is
// named. Knows as little grammar as it can; where the text does not look familiar, there is no answer.
#pragma once

#include "reports/source/directives.hpp"
#include "reports/source/source_text.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

struct Position {
  std::uint32_t line = 0; ///< from 1
  std::size_t column = 0; ///< from 0
  friend auto operator<=>(const Position&, const Position&) = default;
};

/// From the first character of something to one past its last.
struct Extent {
  Position begin, end;
  bool contains(Position at) const noexcept { return begin <= at && at < end; }
  bool contains(std::uint32_t line) const noexcept { return begin.line <= line && line <= end.line; }
};

class Code {
public:
  Code(const std::string& file, SourceText& sources);

  const std::string& file() const noexcept { return file_; }
  SourceForm form() const noexcept { return form_; }
  bool is_c() const noexcept { return form_ == SourceForm::c; }
  std::uint32_t lines() const noexcept { return static_cast<std::uint32_t>(code_.size()); }
  /// As it stands in the file; empty where there is no such line.
  std::string_view original(std::uint32_t line) const noexcept;
  /// With blanks for comments, the insides of strings, and lines of the preprocessor and of OpenMP. Columns stay.
  /// Fortran's is in small letters.
  std::string_view line(std::uint32_t line) const noexcept;
  /// The same of a line of OpenMP, empty for others.
  std::string_view directive_line(std::uint32_t line) const noexcept;

  /// The statement that begins at the first code at or after `from`; in Fortran, a loop or a line.
  std::optional<Extent> statement_from(Position from) const;
  /// What stands behind the head in parentheses of a loop or a condition.
  std::optional<Extent> behind_head(const Extent& statement) const;
  /// Of a block: the statements directly in it. Of another statement: itself. Nothing where the text is not clear.
  std::vector<Extent> parts_of(const Extent& statement) const;
  /// The statement of one line that the place is in, without the heads of loops and conditions before it.
  /// Nothing where the place is in such a head.
  std::optional<Extent> statement_at(const SourcePlace& place) const;
  /// C: the blocks around a place, from the innermost one outward, from `{` to behind `}`.
  std::vector<Extent> blocks_around(std::uint32_t line) const;
  /// The body of the function around a line; in Fortran, the whole of it.
  std::optional<Extent> function_around(std::uint32_t line) const;
  /// The body of a function all of which is on the line: `void add(double v) { total += v; }`.
  std::optional<Extent> function_of_one_line(std::uint32_t line) const;
  /// The code of an extent in one line.
  std::string text(const Extent& extent) const;
  /// Where `name` stands as a variable of its own, not as a member of something.
  std::vector<Position> mentions(std::string_view name, const Extent& in) const;
  /// The first code at or after.
  std::optional<Position> next(Position from) const;
  Extent whole() const noexcept { return {{1, 0}, {lines() + 1, 0}}; }

private:
  /// A block of C, and the one around it, by their numbers.
  struct Block {
    Extent extent;
    std::size_t outer = 0;
  };
  static constexpr std::size_t no_block = static_cast<std::size_t>(-1);

  void find_blocks();
  bool is_function(const Extent& block) const;
  std::optional<Extent> unit_around(std::uint32_t line) const;
  std::optional<Position> matching(Position open) const;
  std::optional<Position> after_statement(Position from, int depth = 0) const;
  std::optional<Position> after_loop_of_fortran(std::uint32_t line) const;
  char at(Position where) const noexcept;
  std::string_view word(Position where) const noexcept;

  std::string file_;
  SourceForm form_;
  std::vector<std::string> original_, code_, directives_;
  std::vector<Block> blocks_;
  std::vector<std::size_t> innermost_; ///< by line: the block that is open where it begins
};

/// Without any blanks: how two texts are compared.
std::string without_blanks(std::string_view text);
/// `name` stands in the text as a word.
bool mentions(std::string_view text, std::string_view name);

} // namespace fletcher::reports

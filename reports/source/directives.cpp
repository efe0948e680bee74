// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/source/directives.hpp"

#include "reports/source/small_letters.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

namespace fletcher::reports {

SourceForm source_form(const std::string& file) {
  const std::string extension = in_small_letters(std::filesystem::path(file).extension().string());
  constexpr std::array<std::string_view, 4> fixed{".f", ".for", ".fpp", ".ftn"};
  if (std::find(fixed.begin(), fixed.end(), extension) != fixed.end()) return SourceForm::fixed_fortran;
  return extension.starts_with(".f") && extension != ".fs" ? SourceForm::fortran : SourceForm::c;
}

bool is_word(char c) noexcept { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view blank = " \t\r";
  const auto first = text.find_first_not_of(blank);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(blank) + 1 - first);
}

std::string_view first_word(std::string_view text) noexcept {
  return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_word) - text.begin()));
}

std::optional<std::string_view> pragma_of(std::string_view line) noexcept {
  if (!line.starts_with('#')) return std::nullopt;
  line.remove_prefix(1);
  for (const std::string_view word : {"pragma", "omp"}) {
    line = trimmed(line);
    if (first_word(line) != word) return std::nullopt;
    line.remove_prefix(word.size());
  }
  return trimmed(line);
}

namespace {

/// The text without blanks around it, in small letters.
std::string essence(std::string_view line) { return in_small_letters(trimmed(line)); }

enum class LineKind : std::uint8_t { construct, end_of_block, beginning_of_block, empty, other };

LineKind kind_of(const std::string& line, SourceForm form) {
  const bool is_c = form == SourceForm::c;
  constexpr std::string_view sentinel = "!$omp ";
  const std::string_view comment = is_c ? "//" : "!";
  if (is_c && pragma_of(line)) return LineKind::construct;
  if (!is_c && line.starts_with(sentinel) && !line.substr(sentinel.size()).starts_with("end "))
    return LineKind::construct;
  if (line.empty() || line.starts_with(comment)) return LineKind::empty;
  if (is_c ? line.find_first_not_of("};") == std::string::npos : line.starts_with("end")) return LineKind::end_of_block;
  return is_c && (line == "{" || line.ends_with('\\')) ? LineKind::beginning_of_block : LineKind::other;
}

/// From the place on, by such steps, past lines of this kind.
std::optional<std::uint32_t> find_construct(const SourcePlace& from, int step, LineKind past, SourceText& sources) {
  const SourceForm form = source_form(from.file);
  for (std::uint32_t line = from.line; line > 0; line += static_cast<std::uint32_t>(step)) {
    const auto text = sources.line(from.file, line);
    if (!text) return std::nullopt;
    const LineKind kind = kind_of(essence(*text), form);
    if (kind == LineKind::construct) return line;
    if (kind != past && kind != LineKind::empty && line != from.line) return std::nullopt;
  }
  return std::nullopt;
}

} // namespace

std::optional<std::uint32_t> line_of_construct(const SourcePlace& place, SourceText& sources) {
  return find_construct(place, 1, LineKind::end_of_block, sources);
}

std::optional<std::uint32_t> line_of_construct_around(const SourcePlace& body, SourceText& sources) {
  return find_construct(body, -1, LineKind::beginning_of_block, sources);
}

std::string directive(const std::string& file, std::string_view text) {
  return (source_form(file) == SourceForm::c ? "#pragma omp " : "!$omp ") + std::string(text);
}

} // namespace fletcher::reports

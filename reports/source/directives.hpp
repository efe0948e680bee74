// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Directives of OpenMP in source text: how they are written in each language, and on which line a construct has its
// own.
#pragma once

#include "reports/source/source_text.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fletcher::reports {

enum class SourceForm : std::uint8_t { c, fortran, fixed_fortran };
bool is_word(char c) noexcept;
/// Without blanks around it.
std::string_view trimmed(std::string_view text) noexcept;
/// The letters, digits and underscores that it begins with.
std::string_view first_word(std::string_view text) noexcept;
/// What follows `#pragma omp` in a line without blanks around it; nothing where the line is no such one.
std::optional<std::string_view> pragma_of(std::string_view line) noexcept;
/// By the name's ending, as compilers do.
SourceForm source_form(const std::string& file);
/// The line of the construct that a compiler says is at the place. GCC gives constructs without a function of their own
/// the line of the statement before: then nothing but the ends of blocks may stand in between. Nothing: it is not sure.
std::optional<std::uint32_t> line_of_construct(const SourcePlace& place, SourceText& sources);
/// The line of the construct whose body begins at the place: the same one, or above it and nothing but the beginnings
/// of blocks in between.
std::optional<std::uint32_t> line_of_construct_around(const SourcePlace& body, SourceText& sources);
/// Fortran needs another sentinel than C: "!$omp taskwait", "#pragma omp taskwait".
std::string directive(const std::string& file, std::string_view text);

} // namespace fletcher::reports

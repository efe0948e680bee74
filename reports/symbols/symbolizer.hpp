// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// llvm-symbolizer as a batch: questions about code, data and stack frames of files, all asked in one go. Knows that
// program's two output formats; what the answers mean for a report is in symbols.hpp.
#pragma once

#include "checker/ids.hpp"
#include "reports/document/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fletcher::reports {

struct Query {
  enum class Kind : std::uint8_t { code, data, frame };
  Kind kind = Kind::code;
  std::string file;
  Address offset = 0;
};

/// A place in code; inlined functions come before the function that they were inlined into.
struct CodeAnswer {
  std::string function; ///< demangled
  std::string file;
  std::uint32_t line = 0, column = 0, function_line = 0; ///< 0 where unknown
  bool line_is_near = false;                             ///< it is that of code before
};

struct DataAnswer {
  std::string name;
  Address start = 0;
  std::uint64_t size = 0;
  std::string file;
  std::uint32_t line = 0;
};

/// A variable of a function. `offset` is relative to the frame base that the debug information uses.
struct FrameAnswer {
  std::string name, file;
  std::uint32_t line = 0;
  std::int64_t offset = 0;
  std::uint64_t size = 0;
};

/// The answer to one query; everything is empty where the file does not say.
struct Answer {
  std::vector<CodeAnswer> code;
  std::optional<DataAnswer> data;
  std::vector<FrameAnswer> frame;
};

/// The program to use: `wanted` if not empty, else $FLETCHER_SYMBOLIZER, else the newest llvm-symbolizer on $PATH or
/// under /usr/lib/llvm-*. Newest, because older ones do not say where a variable is declared.
Result<std::string> find_symbolizer(const std::string& wanted);

/// One answer per query, in their order.
Result<std::vector<Answer>> ask(const std::string& symbolizer, const std::vector<Query>& queries);

/// What the program wrote about queries of one kind, in their order. Text that it would not write gives empty answers.
std::vector<Answer> read_answers(Query::Kind kind, const std::string& text);

} // namespace fletcher::reports

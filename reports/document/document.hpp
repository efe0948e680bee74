// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The document: what a checked process passes to the renderer's process. Raw findings, the modules that their addresses
// lie in, and what is to be known about the run. Written by lib/, read by the renderer; versioned JSON in between.
#pragma once

#include "checker/finding.hpp"
#include "reports/document/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fletcher::reports {

/// How much the tool could see (docs/design/levels.md).
enum class Level : std::uint8_t { graph, tsan, native };

/// A loaded executable or shared library. `base` is what the loader added to the file's addresses (dlpi_addr), so
/// that address - base is the address that the file's symbols and debug information use.
struct Module {
  std::string path;
  Address base = 0;
  Address begin = 0;    ///< lowest mapped address
  Address end = 0;      ///< one past the highest
  std::string build_id; ///< lower-case hexadecimal digits; empty where there is none
};

/// What is to be known about the run besides its findings.
struct Run {
  std::string program;                ///< path of the executable
  std::vector<std::string> arguments; ///< without the program itself
  std::int64_t process = 0;
  std::string tool_version;
  Level level = Level::graph;
  std::int64_t start_time = 0; ///< milliseconds since 1970-01-01 UTC; 0 where unknown
  std::int64_t end_time = 0;
  std::string working_directory;
  std::optional<int> exit_status;
  std::uint32_t threads = 0; ///< distinct threads seen
  std::optional<int> rank;   ///< in MPI_COMM_WORLD, of an MPI process
  std::vector<std::pair<std::string, std::uint64_t>> statistics;
  std::vector<std::pair<std::string, std::string>> options; ///< those that shaped the result
  std::vector<std::string> notes;                           ///< one-line warnings about the run
  std::optional<Step> death; ///< where a signal, which is its message, ended the program before anything was found
  std::string command; ///< of one of several different runs of a program: what starts such a run; not in the document
};

/// An address as the file on disk knows it.
struct Location {
  std::size_t module = 0; ///< index into Document::modules
  Address offset = 0;     ///< address - base
};

struct Document {
  Run run;
  std::vector<Module> modules; ///< in the order of their addresses
  std::vector<Finding> findings;

  /// The module that holds the address; nothing for heap, stack and unmapped addresses.
  std::optional<Location> locate(Address address) const noexcept;
};

/// Puts together what the checker and the loader know. `modules` may come in any order.
Document make_document(Run run, std::vector<Module> modules, std::vector<Finding> findings);

/// The document as JSON text ("fletcher-document": 1). Bytes that are not UTF-8 are replaced.
std::string to_json(const Document& document);

/// Reads what to_json wrote. Truncated, foreign and invalid text gives an error; nothing is thrown.
Result<Document> from_json(std::string_view text);

/// The same, from and to a file. Writing goes through a temporary file in the same directory.
Result<Document> read_document(const std::string& path);
Result<Done> write_document(const Document& document, const std::string& path);

} // namespace fletcher::reports

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of FLETCHER_OPTIONS: one table of names, types, defaults and meanings, and what reads it. Depends on
// nothing else of the library, so that the command line can print the same table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fletcher::tool {

/// The values in force. Each member is set by the option of its name.
struct Options {
  bool enabled = true;
  bool verbose = false;
  bool help = false;
  bool group = true;
  bool advise = false;
  std::uint32_t exitcode = 66;
  std::uint32_t max_findings = 1000;
  std::uint32_t tell_after = 10;
  std::uint32_t memory_limit = 0;
  std::uint32_t teams = 2;
  std::uint32_t pieces = 64;
  std::uint32_t delay = 0;
  std::string sarif;
  std::string html;
  std::string text;
  std::string graph;
  std::string document;
  std::string collect;
  std::string log_path;
  std::string log_events;
  std::string color = "auto";
  std::string symbolizer;
  std::string suppressions;
  std::string ignorelist;
  std::string baseline;
  std::string level = "auto";
  std::string on_deadlock = "exit";
  std::string unmatched = "likely";
};

enum class OptionType : std::uint8_t { flag, number, path, choice };

struct OptionInfo {
  std::string_view name;
  OptionType type;
  std::string_view default_value;
  std::string_view meaning;
  std::variant<bool Options::*, std::uint32_t Options::*, std::string Options::*> member;
  std::string_view choices = {};       ///< of a choice: separated by '|'
  std::uint32_t largest = 0xffff'ffff; ///< of a number
};

/// All options, in the order in which help lists them.
std::span<const OptionInfo> option_table() noexcept;

/// How the type of an option is written in help: "0|1", "number", "path" or its choices.
std::string type_name(const OptionInfo& option);

/// Reads "key=value key=value"; a value with spaces is written in quotes. Returns one complaint (without a newline) for
/// each item that is not understood; such an item changes nothing.
std::vector<std::string> parse_options(std::string_view text, Options& options);

/// What help=1 prints: a line for each option.
std::string options_help();

/// `pattern` with %p replaced by the process id and %% by %.
std::string expand_path(std::string_view pattern, long process);

} // namespace fletcher::tool

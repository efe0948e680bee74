// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of options and its reader.

#include "lib/tool/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace fletcher::tool {

namespace {

constexpr std::array table{
    OptionInfo{"enabled", OptionType::flag, "1", "0: run the program without checking it", &Options::enabled},
    OptionInfo{"verbose", OptionType::flag, "0", "print the level, the runtime's callbacks and statistics to stderr",
               &Options::verbose},
    OptionInfo{"exitcode",
               OptionType::number,
               "66",
               "exit status of the program if an error was found; 0: keep the program's own",
               &Options::exitcode,
               {},
               255},
    OptionInfo{"sarif", OptionType::path, "", "write a SARIF 2.1.0 report to this file; %p is the process id",
               &Options::sarif},
    OptionInfo{"html", OptionType::path, "",
               "write a web page with the findings and their tasks drawn to this file; %p is the process id",
               &Options::html},
    OptionInfo{"text", OptionType::path, "", "write the text report to this file as well; %p is the process id",
               &Options::text},
    OptionInfo{"graph", OptionType::path, "",
               "write the task graph of each region to this file: .html, .json, .dot or .graphml; %p is the process id",
               &Options::graph},
    OptionInfo{"document", OptionType::path, "",
               "write the findings to this file, for 'fletcher render', which merges several; %p is the process id",
               &Options::document},
    OptionInfo{"collect", OptionType::path, "",
               "write the findings to a file in this folder, for 'fletcher merge', and keep the program's exit status",
               &Options::collect},
    OptionInfo{"log_path", OptionType::path, "",
               "append messages to this file instead of writing them to stderr; %p is the process id",
               &Options::log_path},
    OptionInfo{"log_events", OptionType::path, "", "write every event to this file, one per line; %p is the process id",
               &Options::log_events},
    OptionInfo{"color", OptionType::choice, "auto", "colours in the text on stderr", &Options::color,
               "auto|always|never"},
    OptionInfo{"symbolizer", OptionType::path, "", "llvm-symbolizer to use; default: Fletcher's own",
               &Options::symbolizer},
    OptionInfo{"suppressions", OptionType::path, "", "file that lists findings not to report (docs/options.md)",
               &Options::suppressions},
    OptionInfo{"ignorelist", OptionType::path, "",
               "special case list, as clang's, of functions and files whose accesses are not reported",
               &Options::ignorelist},
    OptionInfo{"baseline", OptionType::path, "", "SARIF report of an earlier run; its findings are not reported again",
               &Options::baseline},
    OptionInfo{"group", OptionType::flag, "1",
               "report findings that one change removes as one; 0: report each pair of lines", &Options::group},
    OptionInfo{"advise", OptionType::flag, "0",
               "1: also report what this run did not need: depend items, taskwaits, barriers, locks, atomic operations",
               &Options::advise},
    OptionInfo{"max_findings", OptionType::number, "1000",
               "describe at most this many findings, and only count the others", &Options::max_findings},
    OptionInfo{"level", OptionType::choice, "auto",
               "what to check: tasks and locks only, or memory accesses, too; auto: the most that the program allows",
               &Options::level, "auto|graph|native|tsan"},
    OptionInfo{
        "on_deadlock", OptionType::choice, "exit",
        "if tasks wait for each other forever: report it and exit with the exit status, report it and abort, only "
        "report it, or do not detect it",
        &Options::on_deadlock, "exit|abort|report|ignore"},
    OptionInfo{"tell_after", OptionType::number, "10",
               "seconds after which a running program reports its findings so far; 0: report only at its end",
               &Options::tell_after},
    OptionInfo{"memory_limit", OptionType::number, "0",
               "megabytes of shadow memory and tables from which on memory is freed, although races may be missed; 0: "
               "no limit",
               &Options::memory_limit},
    OptionInfo{"teams",
               OptionType::number,
               "2",
               "number of teams on the host if a teams construct does not set it; 0: the runtime's choice",
               &Options::teams,
               {},
               64},
    OptionInfo{"pieces",
               OptionType::number,
               "64",
               "units into which a loop with a static schedule is divided, to detect races between iterations of one "
               "thread; 0: none (only programs built by clang)",
               &Options::pieces,
               {},
               65536},
    OptionInfo{"unmatched", OptionType::choice, "likely",
               "report unmatched dependences that are probably errors, or every depend(in) that no sibling writes",
               &Options::unmatched, "likely|all"},
    OptionInfo{"delay", OptionType::number, "0",
               "seed of short random delays at events, which make threads run in other orders; 0: none",
               &Options::delay},
    OptionInfo{"help", OptionType::flag, "0", "print the options to stderr when the program starts", &Options::help},
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/// The next item of `text`, which loses it; quotes keep spaces together and are dropped.
std::optional<std::string> next_item(std::string_view& text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  std::string item;
  char quote = 0;
  while (!text.empty()) {
    const char c = text.front();
    if (quote == 0 && is_space(c)) break;
    text.remove_prefix(1);
    if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (quote != 0 && c == quote)
      quote = 0;
    else
      item += c;
  }
  return item;
}

std::optional<bool> read_flag(std::string_view value) {
  for (const std::string_view yes : {"1", "true", "yes", "on"})
    if (value == yes) return true;
  for (const std::string_view no : {"0", "false", "no", "off"})
    if (value == no) return false;
  return std::nullopt;
}

std::optional<std::uint32_t> read_number(std::string_view value, std::uint32_t largest) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size() || number > largest) return std::nullopt;
  return number;
}

bool is_choice(std::string_view value, std::string_view choices) {
  while (!choices.empty()) {
    const auto bar = choices.find('|');
    if (value == choices.substr(0, bar)) return true;
    if (bar == std::string_view::npos) break;
    choices.remove_prefix(bar + 1);
  }
  return false;
}

/// False where `value` is none that the option takes.
bool assign(const OptionInfo& option, std::string_view value, Options& options) {
  switch (option.type) {
  case OptionType::flag:
    if (const auto flag = read_flag(value)) return options.*std::get<bool Options::*>(option.member) = *flag, true;
    return false;
  case OptionType::number:
    if (const auto number = read_number(value, option.largest))
      return options.*std::get<std::uint32_t Options::*>(option.member) = *number, true;
    return false;
  case OptionType::choice:
    if (!is_choice(value, option.choices)) return false;
    [[fallthrough]];
  case OptionType::path:
    options.*std::get<std::string Options::*>(option.member) = value;
    return true;
  }
  return false;
}

/// For a message of one line, whatever the environment contains.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return out + "'";
}

} // namespace

std::span<const OptionInfo> option_table() noexcept { return table; }

std::string type_name(const OptionInfo& option) {
  switch (option.type) {
  case OptionType::flag:
    return "0|1";
  case OptionType::number:
    return option.largest == 0xffff'ffff ? "number" : "0.." + std::to_string(option.largest);
  case OptionType::path:
    return "path";
  case OptionType::choice:
    return std::string(option.choices);
  }
  return {};
}

std::vector<std::string> parse_options(std::string_view text, Options& options) {
  std::vector<std::string> complaints;
  while (const auto item = next_item(text)) {
    const std::string_view whole = *item;
    const auto equals = whole.find('=');
    const std::string_view name = whole.substr(0, equals);
    const auto* option = std::find_if(table.begin(), table.end(), [&](const OptionInfo& o) { return o.name == name; });
    if (option == table.end()) {
      complaints.push_back("unknown option " + quoted(name) + " in FLETCHER_OPTIONS (help=1 lists all)");
    } else if (equals == std::string_view::npos || !assign(*option, whole.substr(equals + 1), options)) {
      const std::string_view value = equals == std::string_view::npos ? "" : whole.substr(equals + 1);
      complaints.push_back("bad value " + quoted(value) + " for option " + quoted(name) +
                           " in FLETCHER_OPTIONS: expected " + type_name(*option) + "; the default stays");
    }
  }
  return complaints;
}

std::string options_help() {
  std::string help = "FLETCHER_OPTIONS=\"name=value name=value\"\n";
  for (const OptionInfo& option : table) {
    std::string line = "  " + std::string(option.name) + "=" + type_name(option);
    line.resize(std::max<std::size_t>(line.size() + 1, 32), ' ');
    line += option.meaning;
    if (!option.default_value.empty()) line += " (default " + std::string(option.default_value) + ")";
    help += line + "\n";
  }
  return help;
}

std::string expand_path(std::string_view pattern, long process) {
  std::string path;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char next = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (next == 'p')
      path += std::to_string(process);
    else if (next == '%')
      path += '%';
    else
      path += pattern[i];
    if (next == 'p' || next == '%') ++i;
  }
  return path;
}

} // namespace fletcher::tool

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs llvm-symbolizer. Code and frames are asked in JSON; data in its plain form, because its JSON (up to LLVM 19)
// leaves out where a variable is declared.
#include "reports/symbols/symbolizer.hpp"

#include "reports/document/whole_numbers.hpp"
#include "reports/document/words.hpp"
#include "reports/symbols/subprocess.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <unistd.h>

namespace fletcher::reports {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr std::chrono::seconds patience{120}, patience_with_servers{30};

bool executable(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::vector<fs::path> search_path() {
  std::vector<fs::path> out;
  const char* path = std::getenv("PATH");
  std::istringstream parts(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string part; std::getline(parts, part, ':');)
    if (!part.empty()) out.emplace_back(part);
  return out;
}

/// The number at the end of "llvm-19" or "llvm-symbolizer-19"; nothing for other names.
std::optional<int> version_after(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  int version = 0;
  const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), version);
  if (code != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return version;
}

std::optional<std::string> newest() {
  std::string best, plain;
  int best_version = -1;
  const auto consider = [&](int version, const fs::path& path) {
    if (version > best_version && executable(path)) best_version = version, best = path.string();
  };
  std::error_code ignored;
  for (const auto& folder : search_path()) {
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (const auto version = version_after(entry.path().filename().string(), "llvm-symbolizer-"))
        consider(*version, entry.path());
    if (plain.empty() && executable(folder / "llvm-symbolizer")) plain = (folder / "llvm-symbolizer").string();
  }
  for (const auto& entry : fs::directory_iterator("/usr/lib", ignored))
    if (const auto version = version_after(entry.path().filename().string(), "llvm-"))
      consider(*version, entry.path() / "bin" / "llvm-symbolizer");
  if (!best.empty()) return best;
  if (!plain.empty()) return plain;
  return std::nullopt;
}

bool askable(const std::string& file) { return !file.empty() && file.find_first_of("\"\n") == std::string::npos; }

std::string_view keyword(Query::Kind kind) {
  return kind == Query::Kind::code ? "CODE" : kind == Query::Kind::data ? "DATA" : "FRAME";
}

std::string text_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

template <class Number> Number number_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end()) return 0;
  if (found->is_number()) return found->get<Number>();
  if (!found->is_string()) return 0;
  // Sizes and addresses are strings, "0x10".
  return static_cast<Number>(std::strtoull(found->get_ref<const std::string&>().c_str(), nullptr, 0));
}

std::string known(std::string text) { return text == "??" || text == "<invalid>" ? std::string() : text; }

Answer read_json_answer(std::string_view line) {
  Answer answer;
  const Json json = Json::parse(line, whole_numbers<Json>, false);
  if (!json.is_object()) return answer;
  if (const auto symbols = json.find("Symbol"); symbols != json.end() && symbols->is_array())
    for (const Json& symbol : *symbols)
      answer.code.push_back({known(text_of(symbol, "FunctionName")), known(text_of(symbol, "FileName")),
                             number_of<std::uint32_t>(symbol, "Line"), number_of<std::uint32_t>(symbol, "Column"),
                             number_of<std::uint32_t>(symbol, "StartLine")});
  if (const auto variables = json.find("Frame"); variables != json.end() && variables->is_array())
    for (const Json& variable : *variables)
      if (variable.contains("FrameOffset"))
        answer.frame.push_back({known(text_of(variable, "Name")), known(text_of(variable, "DeclFile")),
                                number_of<std::uint32_t>(variable, "DeclLine"),
                                number_of<std::int64_t>(variable, "FrameOffset"),
                                number_of<std::uint64_t>(variable, "Size")});
  return answer;
}

/// Three lines (two before LLVM 15): name; start and size; file:line.
Answer read_data_answer(const std::vector<std::string>& lines) {
  Answer answer;
  if (lines.size() < 2 || known(lines[0]).empty()) return answer;
  DataAnswer data;
  data.name = lines[0];
  char* rest = nullptr;
  data.start = std::strtoull(lines[1].c_str(), &rest, 10);
  data.size = std::strtoull(rest, nullptr, 10);
  if (lines.size() > 2)
    if (const auto colon = lines[2].rfind(':'); colon != std::string::npos) {
      const auto line = static_cast<std::uint32_t>(std::strtoul(lines[2].c_str() + colon + 1, nullptr, 10));
      if (line != 0) data.line = line, data.file = known(lines[2].substr(0, colon));
    }
  answer.data = data;
  return answer;
}

} // namespace

std::vector<Answer> read_answers(Query::Kind kind, const std::string& text) {
  std::vector<Answer> out;
  std::istringstream in(text);
  std::vector<std::string> block;
  for (std::string line; std::getline(in, line);) {
    if (kind != Query::Kind::data) {
      if (!line.empty()) out.push_back(read_json_answer(line));
    } else if (!line.empty()) {
      block.push_back(line);
    } else if (!block.empty()) {
      out.push_back(read_data_answer(block));
      block.clear();
    }
  }
  return out;
}

namespace {

/// Those of which some code has a line.
std::set<std::string> files_with_lines(const std::vector<Query>& queries, const std::vector<Answer>& answers) {
  std::set<std::string> files;
  for (std::size_t i = 0; i < queries.size(); ++i)
    if (std::ranges::any_of(answers[i].code, [](const CodeAnswer& code) { return code.line != 0; }))
      files.insert(queries[i].file);
  return files;
}

/// Asks the queries that are (or are not) about data and puts the answers into their places; with `servers`, those of
/// files without line information.
Result<Done> ask_some(const std::string& symbolizer, const std::vector<Query>& queries, bool data, Servers servers,
                      std::vector<Answer>& answers) {
  const std::set<std::string> with_lines =
      servers == Servers::yes ? files_with_lines(queries, answers) : std::set<std::string>();
  std::string input;
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const Query& query = queries[i];
    if ((query.kind == Query::Kind::data) != data || !askable(query.file) || with_lines.contains(query.file)) continue;
    input += std::string(keyword(query.kind)) + " \"" + query.file + "\" " + hexadecimal(query.offset) + "\n";
    asked.push_back(i);
  }
  if (asked.empty()) return Done{};
  const auto output = run_filter(
      symbolizer,
      {data ? "--output-style=LLVM" : "--output-style=JSON", "--demangle", "--inlining", "--functions=linkage"}, input,
      servers == Servers::yes ? patience_with_servers : patience, servers);
  if (!output) return Error{output.error()};
  auto read = read_answers(data ? Query::Kind::data : Query::Kind::code, *output);
  if (read.size() != asked.size())
    return Error{symbolizer + " answered " + std::to_string(read.size()) + " of " + std::to_string(asked.size()) +
                 " questions"};
  for (std::size_t i = 0; i < asked.size(); ++i) answers[asked[i]] = std::move(read[i]);
  return Done{};
}

} // namespace

Result<std::string> find_symbolizer(const std::string& wanted) {
  std::string name = wanted;
  if (name.empty())
    if (const char* variable = std::getenv("FLETCHER_SYMBOLIZER"); variable != nullptr) name = variable;
  if (name.empty()) {
    if (auto found = newest()) return *found;
    return Error{"no llvm-symbolizer found"};
  }
  if (name.find('/') != std::string::npos) {
    if (executable(name)) return name;
  } else {
    for (const auto& folder : search_path())
      if (executable(folder / name)) return (folder / name).string();
  }
  return Error{"the symbolizer " + name + " cannot be run"};
}

Result<std::vector<Answer>> ask(const std::string& symbolizer, const std::vector<Query>& queries) {
  std::vector<Answer> answers(queries.size());
  for (const bool data : {false, true})
    if (const auto asked = ask_some(symbolizer, queries, data, Servers::no, answers); !asked)
      return Error{asked.error()};
  // Where the user named servers of debug information. What they do not answer in time stays as it is.
  if (const char* const servers = std::getenv("DEBUGINFOD_URLS"); servers != nullptr && *servers != '\0')
    static_cast<void>(ask_some(symbolizer, queries, false, Servers::yes, answers));
  return answers;
}

} // namespace fletcher::reports

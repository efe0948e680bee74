// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the comments of a test program.
#include "expectation.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>

namespace fletcher::programs {
namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

class Reader {
public:
  explicit Reader(const std::filesystem::path& file) {
    out_.file = file;
    leader_ = file.extension() == ".f90" ? "!" : "//";
    if (file.extension() == ".f90") out_.compilers = {"gcc"};
  }

  Expectation read(std::istream& in) {
    unsigned number = 0;
    bool header = true;
    for (std::string line; std::getline(in, line);) {
      ++number;
      header = header && line.rfind(leader_, 0) == 0;
      if (header)
        directive(line.substr(leader_.size()));
      else if (const auto comment = line.rfind(leader_); comment != std::string::npos)
        marks(line.substr(comment), number);
    }
    finish();
    return std::move(out_);
  }

  Expectation read_directives(std::istream& in) {
    for (std::string line; std::getline(in, line) && line.rfind(leader_, 0) == 0;)
      directive(line.substr(leader_.size()));
    return std::move(out_);
  }

private:
  void directive(const std::string& line) {
    static const std::regex form(R"(^ (threads|compilers|flags|environment|needs|levels|builds|expect): (.*)$)");
    static const std::regex hidden(R"(\S (threads|compilers|flags|environment|needs|levels|builds|expect):)");
    std::smatch match;
    if (!std::regex_match(line, match, form)) {
      if (std::regex_search(line, hidden)) out_.mistakes.push_back("a directive inside a line of text:" + line);
      return;
    }
    const std::string name = match[1];
    const auto values = words(match[2]);
    if (name == "threads") {
      out_.threads.clear();
      for (const auto& value : values) out_.threads.push_back(static_cast<unsigned>(std::stoul(value)));
    } else if (name == "compilers") {
      std::erase_if(out_.compilers,
                    [&](const auto& known) { return std::find(values.begin(), values.end(), known) == values.end(); });
    } else if (name == "flags") {
      out_.flags = values;
    } else if (name == "environment") {
      out_.environment = values;
    } else if (name == "needs") {
      out_.needs.assign(values.begin(), values.end());
    } else if (name == "levels") {
      out_.graph_level = std::find(values.begin(), values.end(), "graph") != values.end();
    } else if (name == "builds") {
      out_.needs_driver = values == std::vector<std::string>{"driver"};
      out_.always_stock = values == std::vector<std::string>{"stock"};
      if (!out_.needs_driver && !out_.always_stock) out_.mistakes.push_back("builds: driver or stock can be said");
    } else if (values == std::vector<std::string>{"silent"}) {
      out_.silent = true;
    } else {
      out_.mistakes.push_back("only silent can be expected in the header");
    }
  }

  void marks(const std::string& comment, unsigned line) {
    static const std::regex form(R"(\b(RACE|ALSO|FINDING|MAY|NAMES)\(([^)]*)\))");
    for (auto i = std::sregex_iterator(comment.begin(), comment.end(), form); i != std::sregex_iterator(); ++i) {
      const std::string kind = (*i)[1], argument = (*i)[2];
      if (kind == "RACE") race(argument, line);
      if (kind == "ALSO") out_.allowed_races[argument].insert(line);
      if (kind == "FINDING") finding(argument, line);
      if (kind == "NAMES") out_.names.emplace_back(argument, line);
      if (kind == "MAY") out_.allowed_findings.emplace_back(argument, line);
    }
  }

  void race(const std::string& argument, unsigned line) {
    using Form = ExpectedRace::Form;
    static const std::regex form(R"((\d+)(,\1|\*|a|b|))");
    std::smatch match;
    if (!std::regex_match(argument, match, form)) {
      out_.mistakes.push_back("line " + std::to_string(line) + ": RACE(" + argument + ") has none of the forms");
      return;
    }
    const std::string name = match[1], end = match[2];
    const Form kind = end == "*" ? Form::group : end == "a" || end == "b" ? Form::sides : Form::pair;
    auto race = std::find_if(out_.races.begin(), out_.races.end(), [&](const auto& r) { return r.name == name; });
    if (race == out_.races.end()) race = out_.races.insert(race, ExpectedRace{name, kind, {}, {}});
    if (race->form != kind) out_.mistakes.push_back("RACE(" + name + ") has marks of different forms");
    const bool itself = !end.empty() && end[0] == ',';
    const bool to_first = kind == Form::pair ? race->first.empty() : end != "b";
    const bool to_second = kind == Form::pair ? !to_first || itself : end != "a";
    if (to_first) race->first.push_back(line);
    if (to_second) race->second.push_back(line);
  }

  void finding(const std::string& argument, unsigned line) {
    const auto comma = argument.find(',');
    const std::string rule = argument.substr(0, comma);
    const std::string name = comma == std::string::npos ? "" : argument.substr(comma + 1);
    auto known = std::find_if(out_.findings.begin(), out_.findings.end(),
                              [&](const auto& f) { return !name.empty() && f.rule == rule && f.name == name; });
    if (known == out_.findings.end()) known = out_.findings.insert(known, ExpectedFinding{rule, name, {}});
    known->lines.push_back(line);
  }

  void finish() {
    for (const auto& race : out_.races)
      if (race.first.empty() || race.second.empty() ||
          (race.form == ExpectedRace::Form::pair && race.first.size() + race.second.size() != 2))
        out_.mistakes.push_back("RACE(" + race.name + ") does not have two ends");
    const std::string name = out_.file.stem().string();
    const auto ends_with = [&](std::string_view end) {
      return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
    };
    out_.silent = out_.silent || ends_with("-fixed");
    if (out_.silent && out_.expects_findings()) out_.mistakes.push_back("it is to be silent, and expects findings");
    if (!out_.silent && !out_.expects_findings()) out_.mistakes.push_back("it expects neither silence nor findings");
    if (out_.threads.empty()) out_.mistakes.push_back("no number of threads to run it with");
  }

  Expectation out_;
  std::string leader_;
};

} // namespace

Expectation read_expectation(const std::filesystem::path& file, std::string_view text) {
  std::istringstream in{std::string(text)};
  return Reader(file).read(in);
}

Expectation read_expectation(const std::filesystem::path& file) {
  std::ifstream in(file);
  return Reader(file).read(in);
}

Expectation read_directives(const std::filesystem::path& file) {
  std::ifstream in(file);
  return Reader(file).read_directives(in);
}

} // namespace fletcher::programs

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command lines for test programs, and the reader of event logs.

#include "test/ompt/launch.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace fletcher::test {

namespace {

std::string library() {
  const char* const other = std::getenv("FLETCHER_TEST_LIBRARY");
  return other == nullptr ? FLETCHER_LIBRARY : other;
}

Event parse(const std::string& line) {
  std::istringstream words(line);
  Event event;
  words >> event.name;
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    event.fields[word.substr(0, equals)] = equals == std::string::npos ? "" : word.substr(equals + 1);
  }
  return event;
}

Events parse_log(const std::string& text) {
  Events events;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) events.push_back(parse(line));
  return events;
}

} // namespace

const std::string& Event::operator[](const std::string& key) const {
  static const std::string none;
  const auto found = fields.find(key);
  return found == fields.end() ? none : found->second;
}

bool Event::matches(const std::string& pattern) const {
  const Event wanted = parse(pattern);
  return name == wanted.name && std::all_of(wanted.fields.begin(), wanted.fields.end(),
                                            [&](const auto& field) { return (*this)[field.first] == field.second; });
}

Events Events::matching(const std::string& pattern) const {
  Events result;
  std::copy_if(begin(), end(), std::back_inserter(result), [&](const Event& e) { return e.matches(pattern); });
  return result;
}

std::vector<std::string> Events::shown(const std::vector<std::string>& keys) const {
  std::vector<std::string> lines;
  for (const Event& event : *this) {
    std::string line = event.name;
    for (const std::string& key : keys)
      if (event.fields.contains(key)) line += " " + event[key];
    lines.push_back(line);
  }
  return lines;
}

Launch& Launch::variable(const std::string& name, const std::string& value) {
  variables_ += name + "='" + value + "' ";
  return *this;
}

std::string Launch::line(const std::string& more_options) const {
  std::string preload = loading_ == Loading::preload ? library() : "";
  if (libomp_) preload += " " + std::string("libomp.so.5");
  std::string line = variables_ + "FLETCHER_OPTIONS='" + options_ + more_options + "' ";
  if (loading_ == Loading::tool_libraries) line += "OMP_TOOL_LIBRARIES='" + library() + "' ";
  if (!preload.empty()) line += "LD_PRELOAD='" + preload + "' ";
  return line + OMPT_PROGRAMS "/" + program_ + arguments_;
}

Record Launch::events(const Workshop& in) const {
  Record run;
  run.outcome = in.run(line(" log_events=events.txt"));
  run.events = parse_log(in.read("events.txt"));
  return run;
}

Outcome Launch::run(const Workshop& in) const { return in.run(line("")); }

} // namespace fletcher::test

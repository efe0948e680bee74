// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a test program on the library, loaded in one of the ways that OpenMP knows, and reads the log of events that the
// library wrote.
#pragma once

#include "test/support/workshop.hpp"

#include <map>
#include <string>
#include <vector>

namespace fletcher::test {

/// A line of the event log.
struct Event {
  std::string name;
  std::map<std::string, std::string> fields;

  const std::string& operator[](const std::string& key) const;
  bool is(const std::string& wanted) const { return name == wanted; }
  /// "name key=value key=value" holds: the name and each of the fields are as said.
  bool matches(const std::string& pattern) const;
};

struct Events : std::vector<Event> {
  /// Those that match, in their order.
  Events matching(const std::string& pattern) const;
  /// Names and the values of `keys`, one string for each event.
  std::vector<std::string> shown(const std::vector<std::string>& keys) const;
};

enum class Loading { preload, tool_libraries, none };

struct Record {
  Outcome outcome;
  Events events;
};

class Launch {
public:
  /// A program of test/ompt/programs, for instance "tasks.clang".
  explicit Launch(std::string program) : program_(std::move(program)) {}
  Launch& threads(int count) { return variable("OMP_NUM_THREADS", std::to_string(count)); }
  Launch& loading(Loading way) { return loading_ = way, *this; }
  Launch& variable(const std::string& name, const std::string& value);
  Launch& option(const std::string& option) { return options_ += " " + option, *this; }
  Launch& argument(const std::string& word) { return arguments_ += " '" + word + "'", *this; }
  /// Objects of gcc find their runtime by name: LLVM's is put before it.
  Launch& on_libomp() { return libomp_ = true, *this; }

  /// With a log of the events.
  Record events(const Workshop& in) const;
  /// Without one: nothing of the library is to be seen.
  Outcome run(const Workshop& in) const;

private:
  std::string line(const std::string& more_options) const;
  std::string program_, options_, arguments_, variables_;
  Loading loading_ = Loading::preload;
  bool libomp_ = false;
};

} // namespace fletcher::test

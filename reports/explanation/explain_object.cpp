// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The object that the accesses of a finding meet in: its name, how it reads in a sentence, where it comes from.
#include "reports/explanation/explain.hpp"

#include "reports/document/words.hpp"
#include "reports/explanation/library_state.hpp"

#include <algorithm>
#include <utility>

namespace fletcher::reports {
namespace {

std::string owner_words(const Finding& finding, Address address, const SymbolTable& symbols,
                        const std::string& inlined = {}) {
  if (!inlined.empty()) return shown_name(user_function(inlined));
  Stack origin = finding.object.origin;
  for (const StackVariable& known : finding.stack_variables)
    if (known.address == address && symbols.local(known)) origin = {known.frame.call.pc};
  if (origin.empty()) return {};
  const auto frames = symbols.shown(origin);
  return frames.empty() || frames.front().function.name.empty() ? std::string() : shown_name(frames.front().function);
}

std::string byte_range(Address from, std::uint32_t size) {
  if (size == 1) return "byte " + std::to_string(from);
  return "bytes " + std::to_string(from) + "-" + std::to_string(from + size - 1);
}

/// Of what has no name. An address of the process would be another one in each run.
std::string memory_words(Address address, const SymbolTable& symbols) {
  if (address == 0) return "memory"; // only iterations were compared
  const std::string place = symbols.place_in_module(address);
  return place.empty() ? "memory of unknown origin" : "memory at " + place;
}

} // namespace

std::optional<Variable> stack_variable(const Finding& finding, const SymbolTable& symbols, Address address) {
  for (const StackVariable& known : finding.stack_variables)
    if (known.address == address)
      if (auto variable = symbols.local(known)) return variable;
  return std::nullopt;
}

SourcePlace place_of(const std::vector<Frame>& stack) {
  const Frame* frame = frame_of_interest(stack);
  return frame != nullptr ? frame->place : SourcePlace();
}

bool is_in_call(const Side& side) {
  return !side.access->function.empty() ||
         frame_of_interest(side.stack) != (side.stack.empty() ? nullptr : &side.stack.front());
}

std::string place_words(const SourcePlace& place, const std::vector<Frame>& stack, const SourcePlace& seen_from,
                        const SourceText& sources) {
  if (!place.known()) return shown_file(sources, place, stack);
  if (place.file == seen_from.file) return "line " + std::to_string(place.line);
  return one_line(sources.shown(place.file)) + ":" + std::to_string(place.line);
}

std::string accessed_words(const Object& object, const AccessDescription& access) {
  if (object.size <= access.size || access.size == 0 || object.start == 0 || access.address < object.start)
    return object.words;
  return object.words + " (" + byte_range(access.address - object.start, access.size) + " of " +
         std::to_string(object.size) + ")";
}

Object describe_object(const Finding& finding, const std::vector<Side>& sides, const SymbolTable& symbols,
                       const SourceText& sources) {
  Object out;
  const ObjectDescription& object = finding.object;
  if (sides.empty()) return out;
  const AccessDescription& access = *sides.front().access;
  out.stack = object.origin.empty() ? std::vector<Frame>() : symbols.shown(object.origin);
  out.place = place_of(out.stack);
  const SourcePlace& seen_from = sides.front().place;
  const auto named = [&](const Variable& variable) {
    out.name = variable.name;
    out.words = "'" + variable.name + "'";
    out.start = variable.start;
    out.size = variable.size;
    out.whole = std::any_of(sides.begin(), sides.end(), [&](const Side& side) {
      return side.access->size != 0 && side.access->size == variable.size;
    });
    out.place = variable.declared;
    out.stack.clear();
    out.note = out.place.known() ? "'" + variable.name + "' is declared here" : std::string();
    if (auto state = library_state(variable.name)) {
      out.words = std::move(state->words);
      out.note.clear();
    }
  };
  const auto named_local = [&](const Variable& variable) {
    named(variable);
    if (const std::string function = owner_words(finding, access.address, symbols, variable.function);
        !function.empty() && !out.note.empty())
      out.note = "'" + variable.name + "' is a variable of " + function + ", declared here";
  };
  if (object.kind == ObjectKind::stack || object.kind == ObjectKind::unknown)
    if (const auto variable = stack_variable(finding, symbols, access.address)) {
      named_local(*variable);
      return out;
    }
  switch (object.kind) {
  case ObjectKind::heap: {
    const std::string block = "heap block of " + plural(object.size, "byte");
    out.words = "a " + block;
    if (out.place.known()) {
      out.words = "the heap block allocated at " + place_words(out.place, out.stack, seen_from, sources);
      out.name = "heap:" + out.stack.front().function.name;
    }
    out.note = "the " + block + " was allocated here";
    const auto part = std::find_if(sides.begin(), sides.end(), [&](const Side& side) {
      return side.access->size != 0 && side.access->address >= object.base;
    });
    if (part != sides.end())
      out.note += "; the access is to its " + byte_range(part->access->address - object.base, part->access->size);
    break;
  }
  case ObjectKind::stack:
    if (const auto variable = symbols.local(object, access.address)) {
      named_local(*variable);
      break;
    }
    out.words = "a variable on the stack";
    if (const std::string function = owner_words(finding, access.address, symbols); !function.empty())
      out.words += " of " + function;
    out.stack.clear();
    break;
  case ObjectKind::thread_local_:
    out.words = "a thread-local variable";
    break;
  case ObjectKind::global:
  case ObjectKind::unknown:
    out.words = memory_words(access.address, symbols);
    if (const auto variable = symbols.global(access.address)) named(*variable);
    break;
  }
  return out;
}

} // namespace fletcher::reports

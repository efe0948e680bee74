// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hashes with FNV-1a, 64 bits: stable across machines, and nobody gains from a collision.
#include "reports/explanation/fingerprint.hpp"

#include "reports/explanation/rule_catalogue.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace fletcher::reports {
namespace {

/// Without spaces, so that reformatting does not make it a new finding.
std::string normalised(std::string_view line) {
  std::string out;
  for (const char c : line)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) out += c;
  return out;
}

std::string place_words(const SourcePlace& place, const std::vector<Frame>& stack, SourceText& sources) {
  const Frame* frame = frame_of_interest(stack);
  std::string words = frame != nullptr ? frame->function.name : std::string();
  if (const auto line = sources.line(place.file, place.line)) return words + "|" + normalised(*line);
  // Without the source, the distance from the function's beginning survives edits above the function.
  if (frame != nullptr && place.known() && frame->function_line != 0)
    return words + "|+" + std::to_string(place.line - frame->function_line);
  if (place.known()) return words + "|" + std::to_string(place.line);
  return words + "|" + shown_file(sources, place, stack);
}

class Hash {
public:
  void add(std::string_view text) {
    for (const char c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    hash_ = (hash_ ^ 0xff) * 0x100000001b3;
  }
  std::string digits() const {
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, hash_, 16).ptr;
    const std::string text(digits, end);
    return std::string(16 - text.size(), '0') + text;
  }

private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

} // namespace

std::string fingerprint(const Diagnostic& diagnostic, SourceText& sources) {
  std::vector<std::string> places{place_words(diagnostic.place, diagnostic.stack, sources)};
  for (const Note& note : diagnostic.notes)
    if (note.kind == Note::Kind::other_access || note.kind == Note::Kind::step)
      places.push_back(place_words(note.place, note.stack, sources));
  std::sort(places.begin(), places.end());

  Hash hash;
  hash.add(rule_text(diagnostic.rule).id);
  hash.add(diagnostic.variable);
  for (const auto& place : places) hash.add(place);
  return hash.digits();
}

std::string cause_fingerprint(Rule rule, const std::vector<std::string>& words, const std::vector<SourcePlace>& places,
                              SourceText& sources) {
  Hash hash;
  hash.add(rule_text(rule).id);
  for (const auto& word : words) hash.add(word);
  for (const SourcePlace& place : places) {
    const auto line = sources.line(place.file, place.line);
    hash.add(line ? normalised(*line) : sources.shown(place.file) + ":" + std::to_string(place.line));
  }
  return hash.digits();
}

} // namespace fletcher::reports

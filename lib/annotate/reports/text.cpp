// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/reports/text.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace fletcher::annotate {

namespace {

constexpr std::string_view rule = "==================";

/// Takes `prefix` off the front of `text`, if it is there.
bool take(std::string_view& text, std::string_view prefix) noexcept {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

template <class Number> bool take_number(std::string_view& text, Number& number, int base = 10) noexcept {
  if (base == 16 && !take(text, "0x")) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// Up to the end of the line, which is gone, too.
std::string_view take_line(std::string_view& text) noexcept {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

/// Without what makes terminals print in colours.
std::string without_colours(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find("\033["), text.size());
    plain += text.substr(0, begin);
    text.remove_prefix(begin);
    const std::size_t end = text.find('m');
    text.remove_prefix(end < text.size() ? end + 1 : text.size());
  }
  return plain;
}

/// "#0 f(int) /a/b.cpp:3:5 (a.out+0x123) (BuildId: 0123)"
std::optional<PrintedFrame> frame_of(std::string_view line) {
  unsigned index = 0;
  if (!take(line, "#") || !take_number(line, index) || !take(line, " ")) return std::nullopt;
  constexpr std::string_view unknown = "<null>";
  PrintedFrame frame;
  // ThreadSanitizer says no more of a name than this tells from what follows.
  frame.function = line.substr(0, std::min({line.find(" /"), line.find(" <null>"), line.find(" (")}));
  if (frame.function == unknown) frame.function.clear();
  if (const std::size_t id = line.rfind(" (BuildId: "); id != std::string_view::npos) line = line.substr(0, id);
  const std::size_t plus = line.rfind("+0x"), open = line.rfind(" (", plus);
  if (plus == std::string_view::npos || open == std::string_view::npos) return std::nullopt;
  frame.module = line.substr(open + 2, plus - open - 2);
  line.remove_prefix(plus + 1);
  if (!take_number(line, frame.offset, 16) || line != ")") return std::nullopt;
  return frame;
}

/// Until an empty line. False where one is not understood.
bool take_frames(std::string_view& text, std::vector<PrintedFrame>& frames) {
  while (!text.empty()) {
    std::string_view line = take_line(text);
    if (line.empty()) return true;
    if (!take(line, "    ")) return false;
    if (line == "[failed to restore the stack]") continue;
    auto frame = frame_of(line);
    if (!frame) return false;
    // Functions that are inlined stand before the one that they are in, and have its place.
    const bool same = !frames.empty() && frames.back().module == frame->module && frames.back().offset == frame->offset;
    if (!same) frames.push_back(std::move(*frame));
  }
  return true;
}

/// "main thread", "thread T3"
bool take_thread(std::string_view& line, std::uint32_t& thread) noexcept {
  thread = 0;
  return take(line, "main thread") || (take(line, "thread T") && take_number(line, thread));
}

/// "Previous atomic write of size 4 at 0x12 by thread T3 (mutexes: write M0):"
std::optional<PrintedAccess> access_of(std::string_view line) noexcept {
  PrintedAccess access;
  take(line, "Previous ");
  access.atomic = take(line, "Atomic ") || take(line, "atomic ");
  access.write = take(line, "Write") || take(line, "write");
  if (!access.write && !take(line, "Read") && !take(line, "read")) return std::nullopt;
  if (!take(line, " of size ") || !take_number(line, access.size) || !take(line, " at ") ||
      !take_number(line, access.address, 16) || !take(line, " by ") || !take_thread(line, access.thread))
    return std::nullopt;
  access.holds_mutexes = take(line, " (mutexes: ");
  return access;
}

/// "Location is heap block of size 8 at 0x12 allocated by main thread:"
std::optional<PrintedBlock> block_of(std::string_view line) noexcept {
  PrintedBlock block;
  if (!take(line, "Location is heap block of size ") || !take_number(line, block.size) || !take(line, " at ") ||
      !take_number(line, block.begin, 16))
    return std::nullopt;
  return block;
}

/// "Thread T3 'name' (tid=1, running) created by main thread at:"
void take_name(std::string_view line, PrintedRace& race) {
  std::uint32_t thread = 0;
  if (!take(line, "Thread T") || !take_number(line, thread) || !take(line, " '")) return;
  const std::string_view name = line.substr(0, line.rfind("' (tid="));
  for (PrintedAccess* const access : {&race.later, &race.earlier})
    if (access->thread == thread) access->thread_name = name;
}

/// One of these is of two accesses. Of what else ThreadSanitizer finds Fletcher has rules of its own, or none.
bool take_kind(std::string_view line, PrintedRace& race) noexcept {
  if (!take(line, "WARNING: ThreadSanitizer: ")) return false;
  line = line.substr(0, line.find(" (pid="));
  race.after_free = line.starts_with("heap-use-after-free");
  return race.after_free || line.starts_with("data race");
}

std::optional<PrintedRace> race_of(std::string_view report) {
  const std::string plain = without_colours(report);
  std::string_view text = plain;
  take_line(text);
  PrintedRace race;
  if (!take_kind(take_line(text), race)) return std::nullopt;
  unsigned accesses = 0;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    if (!take(line, "  ")) continue; // empty, or the summary
    if (auto access = access_of(line)) {
      PrintedAccess* const place = accesses == 0 ? &race.later : &race.earlier;
      if (++accesses > 2 || !take_frames(text, access->frames)) return std::nullopt;
      *place = std::move(*access);
    } else if (auto block = block_of(line)) {
      if (!take_frames(text, block->allocated_at)) return std::nullopt;
      race.in_heap = std::move(*block);
    } else {
      take_name(line, race);
    }
  }
  if (accesses != 2 || race.later.frames.empty()) return std::nullopt;
  return race;
}

/// Where a line that is `rule` begins, from `from` on; npos: nowhere.
std::size_t find_rule(std::string_view text, std::size_t from) noexcept {
  for (std::size_t at = text.find(rule, from); at != std::string_view::npos; at = text.find(rule, at + 1)) {
    const bool begins = at == 0 || text[at - 1] == '\n';
    if (begins && text.substr(at + rule.size()).starts_with('\n')) return at;
  }
  return std::string_view::npos;
}

} // namespace

std::vector<PrintedPiece> read_reports(std::string_view text, bool all) {
  std::vector<PrintedPiece> pieces;
  constexpr std::size_t nowhere = std::string_view::npos;
  while (!text.empty()) {
    const std::size_t begin = find_rule(text, 0);
    if (begin != 0) {
      // What ends without a newline may go on.
      const std::size_t lines = all ? text.size() : text.rfind('\n') + 1;
      const std::size_t size = std::min(begin, lines);
      if (size == 0) break;
      pieces.push_back({text.substr(0, size), std::nullopt});
      text.remove_prefix(size);
      if (begin == nowhere) break;
      continue;
    }
    const std::size_t end = find_rule(text, rule.size());
    if (end == nowhere && !all) break;
    const std::string_view report = text.substr(0, end == nowhere ? text.size() : end + rule.size() + 1);
    pieces.push_back({report, end == nowhere ? std::nullopt : race_of(report)});
    text.remove_prefix(report.size());
  }
  return pieces;
}

} // namespace fletcher::annotate

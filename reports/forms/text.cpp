// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text form. Lines that are not diagnostics begin with a space or with "fletcher", so that nothing else looks like
// file:line: to a problem matcher.
#include "reports/forms/text.hpp"

#include "reports/document/enum_names.hpp"
#include "reports/document/words.hpp"
#include "reports/explanation/occurrences.hpp"
#include "reports/explanation/rule_catalogue.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace fletcher::reports {
namespace {

constexpr std::size_t most_frames = 24;
constexpr std::size_t most_others = 32;
constexpr std::size_t widest_line = 240;

enum class Ink { place, error, warning, note, caret, insertion };

class TextWriter {
public:
  TextWriter(SourceText& sources, const TextStyle& style) : sources_(sources), style_(style) {}

  void header(const RunGroup& group, bool with_statistics) {
    const Run& run = *group.run;
    out_ += "fletcher " + run.tool_version + ": level " + std::string(level_words(run.level));
    if (!group.threads.empty()) out_ += ", " + group.threads;
    if (!group.ranks.empty()) out_ += ", " + group.ranks;
    if (group.processes > 1) out_ += ", " + std::to_string(group.processes) + " processes";
    out_ += ": " + one_line(run.program);
    for (const auto& argument : run.arguments) out_ += " " + one_line(argument);
    out_ += "\n";
    for (const auto& note : group.notes) out_ += "fletcher: " + one_line(note) + "\n";
    if (!with_statistics) return;
    for (const auto& [name, value] : run.statistics) out_ += "fletcher: " + name + " " + std::to_string(value) + "\n";
  }

  void diagnostic(const Diagnostic& diagnostic, const std::string& seen) {
    out_ += "\n";
    shown_.clear();
    line(diagnostic.place, diagnostic.stack, ink_of(diagnostic.severity),
         std::string(name_of(diagnostic.severity)) + ": ",
         with_times(diagnostic.message, diagnostic.rule, diagnostic.count) + " [" +
             std::string(rule_text(diagnostic.rule).id) + "]");
    excerpt(diagnostic.place);
    stack(diagnostic.stack);
    if (!seen.empty()) line(diagnostic.place, diagnostic.stack, Ink::note, "note: ", seen);
    for (const Note& note : diagnostic.notes) {
      line(note.place, note.stack.empty() ? diagnostic.stack : note.stack, Ink::note, "note: ", note.message);
      if (note.kind == Note::Kind::fix && !diagnostic.edits.empty())
        change(diagnostic.edits);
      else
        excerpt(note.place);
      if (note.kind != Note::Kind::fix) stack(note.stack);
    }
    also(diagnostic);
  }

  void summary(const std::vector<Diagnostic>& diagnostics) {
    changes(diagnostics);
    out_ += "\nfletcher: " + total_words(diagnostics) + "\n";
  }

  std::string take() { return std::move(out_); }

private:
  static Ink ink_of(Severity severity) {
    return severity == Severity::error ? Ink::error : severity == Severity::warning ? Ink::warning : Ink::note;
  }

  std::string inked(Ink ink, std::string_view text) const {
    if (!style_.color) return std::string(text);
    constexpr std::string_view codes[]{"\033[1m", "\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[1;32m", "\033[32m"};
    return std::string(codes[static_cast<std::size_t>(ink)]) + std::string(text) + "\033[0m";
  }

  void line(const SourcePlace& place, const std::vector<Frame>& stack, Ink ink, std::string_view kind,
            std::string_view text) {
    std::string where = one_line(shown_file(sources_, place, stack)) + ":";
    if (place.known()) where += std::to_string(place.line) + ":";
    if (place.known() && place.column != 0) where += std::to_string(place.column) + ":";
    out_ += inked(Ink::place, where) + " " + inked(ink, kind) + std::string(text) + "\n";
  }

  /// Of the other places that the cause explains a line each.
  void also(const Diagnostic& diagnostic) {
    for (std::size_t i = 0; i < diagnostic.also.size(); ++i) {
      if (i == most_others) {
        out_ += "        and " + plural(diagnostic.also.size() - i, "more place") + "\n";
        return;
      }
      const Also& other = diagnostic.also[i];
      line(other.place, other.stack, Ink::note, "note: ",
           "the same cause: " + with_times(other.message, other.rule, other.count) +
               (other.rule == diagnostic.rule ? std::string() : " [" + std::string(rule_text(other.rule).id) + "]"));
    }
  }

  /// Of several findings, what there is to do.
  void changes(const std::vector<Diagnostic>& diagnostics) {
    std::vector<std::string> with_edits, others;
    std::uint64_t all = 0;
    for (const Diagnostic& diagnostic : diagnostics) {
      if (!diagnostic.counts()) continue;
      ++all;
      const auto note = std::find_if(diagnostic.notes.begin(), diagnostic.notes.end(),
                                     [](const Note& one) { return one.kind == Note::Kind::fix; });
      if (note == diagnostic.notes.end() || !note->place.known()) continue;
      const std::string_view words = note->message;
      const std::string line = one_line(sources_.shown(note->place.file)) + ":" + std::to_string(note->place.line) +
                               ": " + std::string(words.substr(words.find(' ') + 1));
      std::vector<std::string>& lines = diagnostic.edits.empty() ? others : with_edits;
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
    if (all < 2) return;
    list("'fletcher fix' can make these changes", with_edits);
    list(with_edits.empty() ? "what to change" : "to change by hand", others);
  }

  void list(const std::string& title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    out_ += "\nfletcher: " + title + ":\n";
    for (std::size_t i = 0; i < std::min(lines.size(), most_others); ++i) out_ += "  " + one_line(lines[i]) + "\n";
    if (lines.size() > most_others) out_ += "  and " + std::to_string(lines.size() - most_others) + " more\n";
  }

  static std::string with_times(const std::string& message, Rule rule, std::uint64_t count) {
    if (count < 2 || rule == Rule::not_needed) return message;
    const std::string times = times_seen(rule, count);
    return message.ends_with(')') ? message.substr(0, message.size() - 1) + "; " + times + ")"
                                  : message + " (" + times + ")";
  }

  static std::string margin(std::string_view number) {
    return std::string(number.size() < 6 ? 6 - number.size() : 0, ' ') + std::string(number) + " | ";
  }

  /// The source line with a caret; each line once per diagnostic.
  void excerpt(const SourcePlace& place) {
    const auto text = sources_.line(place.file, place.line);
    if (!text || !shown_.insert({place.file, place.line, place.column}).second) return;
    std::string source(text->substr(0, widest_line));
    for (char& c : source)
      if (c != '\t' && (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)) c = ' ';
    out_ += " " + margin(std::to_string(place.line)) + source + "\n";
    if (place.column == 0 || place.column > source.size()) return;
    std::string blank;
    for (const char c : source.substr(0, place.column - 1)) {
      const bool continuation = (static_cast<unsigned char>(c) & 0xc0) == 0x80;
      if (!continuation) blank += c == '\t' ? '\t' : ' ';
    }
    out_ += " " + margin("") + blank + inked(Ink::caret, "^") + "\n";
  }

  /// As a reader goes through the source; those of one line keep their order.
  static std::vector<Edit> by_line(const std::vector<Edit>& edits) {
    std::map<std::pair<std::string, std::uint32_t>, std::vector<Edit>> lines;
    for (const Edit& one : edits) lines[{one.place.file, one.place.line}].push_back(one);
    std::vector<Edit> out;
    for (const auto& [line, all] : lines) out.insert(out.end(), all.begin(), all.end());
    return out;
  }

  /// Lines that come and go, each with the line that tells where.
  void change(const std::vector<Edit>& unordered) {
    const std::vector<Edit> edits = by_line(unordered);
    for (std::size_t i = 0; i < edits.size(); ++i) {
      const Edit& edit = edits[i];
      const bool goes_on = i + 1 < edits.size() && edits[i + 1].place.file == edit.place.file &&
                           edits[i + 1].place.line == edit.place.line;
      const auto old = sources_.line(edit.place.file, edit.place.line);
      if (old && edit.replaces)
        out_ += " " + margin("- " + std::to_string(edit.place.line)) + one_line(std::string(*old)) + "\n";
      if (!edit.removes()) out_ += " " + margin("+") + inked(Ink::insertion, one_line(edit.text)) + "\n";
      if (old && !edit.replaces && !goes_on)
        out_ += " " + margin(std::to_string(edit.place.line)) + one_line(std::string(*old)) + "\n";
    }
  }

  void stack(const std::vector<Frame>& all) {
    const std::vector<Frame> frames = worth_showing(all);
    std::size_t number = 0;
    for (const Frame& frame : frames) {
      if (number == most_frames) {
        out_ += "        and " + plural(frames.size() - number, "more call") + "\n";
        return;
      }
      const std::string name = frame_name(frame);
      // The place of an only frame stands in the line above already.
      if (frames.size() == 1 && name.empty()) return;
      out_ += number == 0 ? "        in " : "        called from ";
      out_ += name.empty() ? "an unknown function" : name;
      if (frames.size() > 1) {
        out_ += " at " + one_line(shown_file(sources_, frame.place, {frame}));
        if (frame.place.known()) out_ += ":" + std::to_string(frame.place.line);
        if (frame.place.known() && frame.place.column != 0) out_ += ":" + std::to_string(frame.place.column);
      }
      out_ += "\n";
      ++number;
    }
  }

  SourceText& sources_;
  const TextStyle& style_;
  std::string out_;
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t>> shown_;
};

} // namespace

std::string text_report(const std::vector<Run>& runs, const std::vector<Diagnostic>& diagnostics, SourceText& sources,
                        const TextStyle& style) {
  const bool found = std::any_of(diagnostics.begin(), diagnostics.end(), [](const auto& d) { return d.counts(); });
  const bool died = std::any_of(runs.begin(), runs.end(), [](const Run& run) { return run.death.has_value(); });
  if (!style.verbose && !found && !died) return {};
  TextWriter writer(sources, style);
  for (const RunGroup& group : grouped(runs)) writer.header(group, style.verbose && runs.size() == 1);
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.counts()) writer.diagnostic(diagnostic, seen_by(diagnostic, runs));
  if (style.verbose || found) writer.summary(diagnostics);
  return writer.take();
}

} // namespace fletcher::reports

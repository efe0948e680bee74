// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/forms/html.hpp"

#include "reports/document/enum_names.hpp"
#include "reports/document/words.hpp"
#include "reports/explanation/occurrences.hpp"
#include "reports/explanation/rule_catalogue.hpp"
#include "reports/forms/html_filter.hpp"
#include "reports/forms/html_style.hpp"
#include "reports/forms/markup.hpp"
#include "reports/forms/task_drawing.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace fletcher::reports {
namespace {

constexpr std::uint32_t lines_around = 3;
constexpr std::size_t most_frames = 64;

std::string element(std::string_view name, std::string_view kind, std::string_view content) {
  return "<" + std::string(name) + (kind.empty() ? "" : " class=\"" + std::string(kind) + "\"") + ">" +
         std::string(content) + "</" + std::string(name) + ">";
}

class Page {
public:
  explicit Page(SourceText& sources) : sources_(sources) {}

  void head(const std::vector<Run>& runs, const std::vector<const Diagnostic*>& shown, const std::string& totals) {
    const std::string program = runs.size() == 1 ? runs.front().program.substr(runs.front().program.rfind('/') + 1)
                                                 : plural(runs.size(), "run");
    out_ += "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
            "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n" +
            element("title", "", "Fletcher: " + escaped(program)) + "\n" + element("style", "", escaped(html_style)) +
            "\n</head>\n<body>\n" + element("h1", "", "Fletcher: " + escaped(program)) + "\n" +
            element("p", "", totals) + "\n";
    const std::vector<RunGroup> groups = grouped(runs);
    const bool folded = groups.size() > 3;
    if (folded) out_ += "<details>\n" + element("summary", "", plural(groups.size(), "program")) + "\n";
    for (const RunGroup& group : groups) run(group);
    if (folded) out_ += "</details>\n";
    for (const RunGroup& group : groups)
      for (const auto& note : group.notes) note_about_report(note);
    if (shown.empty()) return;
    out_ += "<ol class=\"contents\">\n";
    for (std::size_t i = 0; i < shown.size(); ++i)
      // With its number, which stays when the search hides those before it.
      out_ += "<li value=\"" + std::to_string(i + 1) + "\"><a href=\"#finding-" + std::to_string(i + 1) + "\">" +
              where(shown[i]->place, shown[i]->stack) + "</a>: " + escaped(shown[i]->message) + "</li>\n";
    out_ += "</ol>\n";
  }

  void note_about_report(const std::string& text) { out_ += element("p", "warning", escaped(one_line(text))) + "\n"; }

  void finding(const Diagnostic& diagnostic, std::size_t number, const std::string& seen) {
    excerpts_.clear();
    const std::string id = "f-" + escaped(diagnostic.fingerprint) + again(diagnostic.fingerprint);
    out_ += "<section id=\"finding-" + std::to_string(number) + "\" data-rule=\"" +
            std::string(rule_text(diagnostic.rule).id) + "\" data-severity=\"" +
            std::string(name_of(diagnostic.severity)) + "\" data-file=\"" +
            escaped(shown_file(sources_, diagnostic.place, diagnostic.stack)) + "\">\n";
    out_ += element("h2", "",
                    std::to_string(number) + ". " + escaped(diagnostic.message) + " <a class=\"link\" id=\"" + id +
                        "\" href=\"#" + id + "\" title=\"A stable link: later reports have it, too\">#</a>") +
            "\n<p>";
    out_ += element("span", "label " + std::string(name_of(diagnostic.severity)), name_of(diagnostic.severity));
    out_ += element("span", "label", rule_text(diagnostic.rule).id);
    if (diagnostic.predicted) out_ += element("span", "label", "predicted");
    if (diagnostic.novelty == Novelty::fresh) out_ += element("span", "label", "new");
    if (diagnostic.count > 1) out_ += element("span", "dim", times_seen(diagnostic.rule, diagnostic.count));
    if (!seen.empty()) out_ += element("span", "dim", (diagnostic.count > 1 ? ", " : " ") + escaped(seen));
    out_ += "</p>\n";
    for (const Note& note : diagnostic.notes)
      if (note.kind == Note::Kind::cause) out_ += element("p", "", escaped(note.message)) + "\n";
    if (const std::string drawing = task_drawing(diagnostic, sources_); !drawing.empty())
      out_ += "<div class=\"drawing\">\n" + drawing + "</div>\n";
    const std::string act = diagnostic.participants.empty() ? "" : diagnostic.participants.front().act;
    part(act, diagnostic.place, diagnostic.stack, nullptr, true);
    for (const Note& note : diagnostic.notes) {
      if (note.kind == Note::Kind::cause) continue;
      const bool fix = note.kind == Note::Kind::fix;
      const Edit* const edit = fix && !diagnostic.edits.empty() ? &diagnostic.edits.front() : nullptr;
      part(note.message, note.place, fix ? std::vector<Frame>() : note.stack, edit, false);
      for (std::size_t i = 1; fix && i < diagnostic.edits.size(); ++i)
        part("and", diagnostic.edits[i].place, {}, &diagnostic.edits[i], false);
    }
    also(diagnostic.also);
    out_ += "</section>\n";
    finish_piece();
  }

  std::string take() {
    if (fingerprints_.size() > 1) // else there is nothing to choose from
      out_ += "<script>//<![CDATA[\n" + std::string(html_filter) + "//]]></script>\n";
    out_ += "</body>\n</html>\n";
    finish_piece();
    return std::move(done_);
  }

private:
  /// Piece by piece, as what makes it UTF-8 has copies of it.
  void finish_piece() {
    done_ += as_utf8(out_);
    out_.clear();
  }

  /// Copies of code have findings with equal fingerprints: "" for the first one, then "-2", "-3".
  std::string again(const std::string& fingerprint) {
    const unsigned n = ++fingerprints_[fingerprint];
    return n == 1 ? "" : "-" + std::to_string(n);
  }

  std::string where(const SourcePlace& place, const std::vector<Frame>& stack) const {
    return element("code", "",
                   escaped(shown_file(sources_, place, stack)) +
                       (place.known() ? ":" + std::to_string(place.line) : ""));
  }

  void run(const RunGroup& group) {
    const Run& run = *group.run;
    std::string command = run.program;
    for (const auto& argument : run.arguments) command += " " + argument;
    std::string facts = "level " + std::string(level_words(run.level));
    if (!group.threads.empty()) facts += ", " + group.threads;
    if (!group.ranks.empty()) facts += ", " + group.ranks;
    if (group.processes > 1) facts += ", " + std::to_string(group.processes) + " processes";
    out_ += "<p>" + element("code", "", escaped(one_line(command))) + "<br/>" +
            element("span", "dim", "Fletcher " + escaped(run.tool_version) + ", " + facts) + "</p>\n";
  }

  /// An access, a step, a place: its sentence, lines of source, and calls.
  void part(const std::string& message, const SourcePlace& place, const std::vector<Frame>& stack, const Edit* edit,
            bool open) {
    out_ += "<div class=\"part\">\n<p>" + escaped(message);
    if (place.known() || !stack.empty()) out_ += (message.empty() ? "" : ": ") + where(place, stack);
    out_ += "</p>\n";
    excerpt(edit != nullptr ? edit->place : place, edit);
    calls(stack, open);
    out_ += "</div>\n";
  }

  void also(const std::vector<Also>& others) {
    if (others.empty()) return;
    out_ += "<details><summary>" + plural(others.size(), "more place") + " with the same cause</summary>\n<ul>\n";
    for (const Also& other : others) {
      out_ += "<li>" + where(other.place, other.stack) + ": " + escaped(other.message);
      if (other.count > 1) out_ += element("span", "dim", " " + times_seen(other.rule, other.count));
      out_ += "</li>\n";
    }
    out_ += "</ul></details>\n";
  }

  /// Each place once for a finding.
  void excerpt(const SourcePlace& place, const Edit* edit) {
    if (!place.known() || !sources_.line(place.file, place.line)) return;
    if (edit == nullptr && !excerpts_.insert({place.file, place.line}).second) return;
    out_ += "<pre>";
    const auto row = [&](std::string_view kind, const std::string& number, std::string_view text) {
      const std::string margin(number.size() < 6 ? 6 - number.size() : 0, ' ');
      out_ += element("span", kind, margin + number + " | " + escaped(text));
    };
    const std::uint32_t first = place.line > lines_around ? place.line - lines_around : 1;
    for (std::uint32_t number = first; number <= place.line + lines_around; ++number) {
      const auto text = sources_.line(place.file, number);
      if (!text) break;
      const bool edited = edit != nullptr && number == place.line, goes = edited && edit->replaces;
      if (edited && !goes) row("added", "+", edit->text);
      row(goes                                      ? "removed"
          : edit == nullptr && number == place.line ? "here"
                                                    : "",
          (goes ? "- " : "") + std::to_string(number), *text);
      if (goes && !edit->removes()) row("added", "+", edit->text);
    }
    out_ += "</pre>\n";
  }

  void calls(const std::vector<Frame>& all, bool open) {
    const std::vector<Frame> frames = worth_showing(all);
    if (frames.empty()) return;
    out_ += std::string("<details") + (open ? " open=\"open\"" : "") + "><summary>" + plural(frames.size(), "call") +
            "</summary>\n<ol>\n";
    for (std::size_t i = 0; i < std::min(frames.size(), most_frames); ++i) {
      const std::string name = frame_name(frames[i]);
      out_ += "<li>" + escaped(name.empty() ? "an unknown function" : name) + " at " +
              where(frames[i].place, {frames[i]}) + "</li>\n";
    }
    if (frames.size() > most_frames) out_ += "<li>" + plural(frames.size() - most_frames, "more call") + "</li>\n";
    out_ += "</ol></details>\n";
  }

  SourceText& sources_;
  std::string out_; ///< the piece that is being written
  std::string done_;
  std::set<std::pair<std::string, std::uint32_t>> excerpts_;
  std::map<std::string, unsigned> fingerprints_;
};

} // namespace

std::string html_report(const std::vector<Run>& runs, const std::vector<Diagnostic>& diagnostics, SourceText& sources,
                        const std::vector<std::string>& warnings) {
  std::vector<const Diagnostic*> shown;
  for (const Diagnostic& one : diagnostics)
    if (one.counts()) shown.push_back(&one);
  Page page(sources);
  page.head(runs, shown, total_words(diagnostics));
  for (const std::string& warning : warnings) page.note_about_report(warning);
  for (std::size_t i = 0; i < shown.size(); ++i) page.finding(*shown[i], i + 1, seen_by(*shown[i], runs));
  return page.take();
}

} // namespace fletcher::reports

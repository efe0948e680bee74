// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/forms/services.hpp"

#include "reports/document/enum_names.hpp"
#include "reports/document/words.hpp"
#include "reports/explanation/occurrences.hpp"
#include "reports/explanation/rule_catalogue.hpp"
#include "reports/forms/markup.hpp"
#include "reports/forms/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace fletcher::reports {

namespace {

/// The cause, and what to change.
std::string with_advice(const Diagnostic& diagnostic) {
  std::string out = diagnostic.message;
  for (const Note& note : diagnostic.notes) {
    if (note.kind != Note::Kind::cause && note.kind != Note::Kind::fix) continue;
    out += "; " + (note.kind == Note::Kind::fix ? fix_with_line(note, diagnostic.place) : note.message);
  }
  return one_line(out);
}

std::string rule_of(const Diagnostic& diagnostic) { return std::string(rule_text(diagnostic.rule).id); }

std::string where(const Diagnostic& diagnostic, const SourceText& sources) {
  const std::string file = shown_file(sources, diagnostic.place, diagnostic.stack);
  return one_line(file) + (diagnostic.place.known() ? ":" + std::to_string(diagnostic.place.line) : "");
}

/// By GitHub's rules for the values of a command, and for its properties.
std::string in_command(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    const bool escapes = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    if (!escapes)
      out += c;
    else
      out += c == '%' ? "%25" : c == '\r' ? "%0D" : c == '\n' ? "%0A" : c == ':' ? "%3A" : "%2C";
  }
  return out;
}

std::string_view quality_of(Severity severity) {
  return severity == Severity::error ? "critical" : severity == Severity::warning ? "minor" : "info";
}
std::string_view annotation_of(Severity severity) {
  return severity == Severity::error ? "::error " : severity == Severity::warning ? "::warning " : "::notice ";
}
/// Advice fails no test.
bool fails(const Diagnostic& diagnostic) { return diagnostic.counts() && diagnostic.severity != Severity::note; }

} // namespace

std::string junit_report(const std::vector<Run>& runs, const std::vector<Diagnostic>& diagnostics,
                         SourceText& sources) {
  std::string cases;
  std::size_t failures = 0, tests = 0;
  std::set<std::uint32_t> with_findings;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!fails(diagnostic)) continue;
    with_findings.insert(diagnostic.runs.begin(), diagnostic.runs.end());
    ++tests, ++failures;
    Diagnostic copy = diagnostic;
    copy.runs.clear();
    std::string text = text_report({}, {copy}, sources, {});
    const std::string seen = seen_by(diagnostic, runs);
    cases += "  <testcase classname=\"fletcher." + rule_of(diagnostic) + "\" name=\"" +
             escaped(where(diagnostic, sources) + ": " + one_line(diagnostic.message)) + "\">\n    <failure type=\"" +
             std::string(name_of(diagnostic.severity)) + "\" message=\"" + escaped(with_advice(diagnostic)) + "\">" +
             escaped(text + seen) + "</failure>\n  </testcase>\n";
  }
  std::set<std::string> passed, failed;
  for (std::uint32_t i = 0; i < runs.size(); ++i) (with_findings.contains(i) ? failed : passed).insert(runs[i].program);
  for (const std::string& program : passed) {
    if (failed.contains(program)) continue;
    ++tests;
    cases += "  <testcase classname=\"fletcher\" name=\"" + escaped(one_line(program)) + "\"/>\n";
  }
  return as_utf8("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"fletcher\" tests=\"" +
                 std::to_string(tests) + "\" failures=\"" + std::to_string(failures) +
                 "\" errors=\"0\" skipped=\"0\" time=\"0\">\n" + cases + "</testsuite>\n</testsuites>\n");
}

std::string code_quality_report(const std::vector<Diagnostic>& diagnostics, const SourceText& sources) {
  using Json = nlohmann::ordered_json;
  Json out = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!diagnostic.counts()) continue;
    const std::uint32_t line = std::max(diagnostic.place.line, std::uint32_t{1});
    out.push_back(
        {{"description", with_advice(diagnostic)},
         {"check_name", rule_of(diagnostic)},
         {"fingerprint", diagnostic.fingerprint},
         {"severity", quality_of(diagnostic.severity)},
         {"location",
          {{"path", shown_file(sources, diagnostic.place, diagnostic.stack)}, {"lines", {{"begin", line}}}}}});
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string github_annotations(const std::vector<Diagnostic>& diagnostics, const SourceText& sources) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!diagnostic.counts()) continue;
    out += annotation_of(diagnostic.severity);
    out += "file=" + in_command(shown_file(sources, diagnostic.place, diagnostic.stack), true);
    if (diagnostic.place.known()) out += ",line=" + std::to_string(diagnostic.place.line);
    if (diagnostic.place.column != 0) out += ",col=" + std::to_string(diagnostic.place.column);
    out += ",title=" + in_command(rule_of(diagnostic), true) + "::" + in_command(with_advice(diagnostic), false) + "\n";
  }
  return out;
}

} // namespace fletcher::reports

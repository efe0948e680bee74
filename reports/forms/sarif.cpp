// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the SARIF log. Places and their regions are made in sarif_places.cpp.
#include "reports/forms/sarif.hpp"

#include "reports/document/enum_names.hpp"
#include "reports/document/words.hpp"
#include "reports/explanation/occurrences.hpp"
#include "reports/explanation/rule_catalogue.hpp"
#include "reports/forms/markup.hpp"
#include "reports/forms/sarif_places.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <map>

namespace fletcher::reports {
namespace {

constexpr const char* documentation = FLETCHER_DOCUMENTATION_URI;

/// Readers that know no stacks of this depth exist; the innermost frames are the useful ones.
constexpr std::size_t most_frames = 64;

Json message(std::string_view text) {
  std::string out;
  // "operator[](int)" would be a link.
  const bool looks_like_link = text.find("](") != std::string_view::npos;
  for (const char c : text) {
    if (looks_like_link && (c == '[' || c == ']' || c == '\\')) out += '\\';
    out += c;
  }
  return {{"text", out}};
}

std::string sentence(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text + ".";
}

Json rule(const RuleText& rule) {
  const std::string id(rule.id);
  const std::string details(rule.details), remedy(rule.remedy);
  return {
      {"id", id},
      {"name", std::string(rule.name)},
      {"shortDescription", {{"text", std::string(rule.summary)}}},
      {"fullDescription", {{"text", details}}},
      {"help",
       {{"text", details + " What to change: " + remedy},
        {"markdown", "# " + std::string(rule.title) + "\n\n" + details + "\n\n## What to change\n\n" + remedy + "\n"}}},
      {"helpUri", std::string(documentation) + "rules/" + id + ".md"},
      {"defaultConfiguration", {{"level", std::string(name_of(rule.level))}}},
      {"properties",
       {{"tags", {"openmp", "concurrency", "correctness"}},
        {"precision", "very-high"},
        {"problem.severity", rule.level == Severity::note ? "recommendation" : std::string(name_of(rule.level))}}}};
}

std::string utc(std::int64_t milliseconds) {
  const std::time_t seconds = static_cast<std::time_t>(milliseconds / 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  const auto length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  const std::string fraction = std::to_string(1000 + milliseconds % 1000).substr(1);
  return std::string(text.data(), length) + "." + fraction + "Z";
}

Json notification(std::string_view text) { return {{"level", "warning"}, {"message", message(one_line(text))}}; }

Json invocation(const Run& run) {
  std::string command = run.program;
  for (const auto& argument : run.arguments) command += " " + argument;
  // Successful: the analysis came to its end, whatever the checked program returned.
  Json out{{"executionSuccessful", true}, {"commandLine", command}, {"arguments", run.arguments}};
  if (run.exit_status) out["exitCode"] = *run.exit_status;
  if (run.start_time > 0) out["startTimeUtc"] = utc(run.start_time);
  if (run.end_time >= run.start_time && run.end_time > 0) out["endTimeUtc"] = utc(run.end_time);
  if (run.process > 0) out["processId"] = run.process;
  if (run.working_directory.starts_with('/')) out["workingDirectory"] = {{"uri", folder_uri(run.working_directory)}};
  Json notes = Json::array();
  for (const auto& note : run.notes) notes.push_back(notification(note));
  out["toolExecutionNotifications"] = notes;
  if (run.rank) out["properties"] = {{"mpiRank", *run.rank}};
  return out;
}

class Results {
public:
  Results(SarifPlaces& places, const std::vector<Run>& runs) : places_(places), runs_(runs) {}

  Json result(const Diagnostic& diagnostic) {
    Json out{{"ruleId", std::string(rule_text(diagnostic.rule).id)},
             {"ruleIndex", static_cast<std::size_t>(diagnostic.rule)},
             {"level", std::string(name_of(diagnostic.severity))},
             {"message", message(sentence(text_of(diagnostic)))},
             {"locations", Json::array({places_.location(diagnostic.place, diagnostic.stack, true)})},
             {"partialFingerprints", {{fingerprint_name, diagnostic.fingerprint}}},
             {"occurrenceCount", diagnostic.count}};
    add_related(out, diagnostic);
    add_code_flow(out, diagnostic);
    if (!diagnostic.edits.empty() && are_readable(diagnostic.edits)) out["fixes"] = Json::array({fix(diagnostic)});
    if (diagnostic.novelty != Novelty::not_compared)
      out["baselineState"] = diagnostic.novelty == Novelty::fresh ? "new" : "unchanged";
    if (diagnostic.suppressed) out["suppressions"] = Json::array({{{"kind", "external"}, {"status", "accepted"}}});
    Json properties{{"cause", std::string(name_of(diagnostic.cause))}, {"predicted", diagnostic.predicted}};
    if (!diagnostic.variable.empty()) properties["variable"] = diagnostic.variable;
    if (const std::string seen = seen_by(diagnostic, runs_); !seen.empty()) properties["seenBy"] = one_line(seen);
    out["properties"] = std::move(properties);
    return out;
  }

private:
  static std::string text_of(const Diagnostic& diagnostic) {
    std::string out = diagnostic.message;
    for (const Note& note : diagnostic.notes) {
      if (note.kind != Note::Kind::cause && note.kind != Note::Kind::fix) continue;
      const bool fix = note.kind == Note::Kind::fix;
      out += ". " + sentence(fix ? fix_with_line(note, diagnostic.place) : note.message), out.pop_back();
    }
    return out;
  }

  void add_related(Json& out, const Diagnostic& diagnostic) {
    Json related = Json::array();
    for (const Note& note : diagnostic.notes) {
      if (note.kind == Note::Kind::cause || (note.kind == Note::Kind::fix && note.place == diagnostic.place)) continue;
      const auto& stack = note.stack.empty() ? diagnostic.stack : note.stack;
      Json location = places_.location(note.place, stack, false);
      location["id"] = related.size() + 1;
      location["message"] = message(sentence(note.message));
      related.push_back(std::move(location));
    }
    for (const Also& other : diagnostic.also) {
      Json location = places_.location(other.place, other.stack, false);
      location["id"] = related.size() + 1;
      location["message"] = message("The same cause: " + other.message + ".");
      related.push_back(std::move(location));
    }
    if (!related.empty()) out["relatedLocations"] = std::move(related);
  }

  /// A call stack in the order of execution: the creation of the task, the calls, the access.
  Json thread_flow(const std::string& id, const std::vector<Frame>& stack, const std::string& last_words) {
    Json locations = Json::array();
    const std::size_t depth = std::min(stack.size(), most_frames);
    for (std::size_t i = depth; i-- > 0;) {
      const Frame& frame = stack[i];
      if (!frame.place.known()) continue;
      Json location = places_.location(frame.place, {frame}, false);
      const std::string name = shown_name(frame.function);
      location["message"] =
          message(i == 0 ? sentence(last_words) : "Called in " + (name.empty() ? "a function" : name) + ".");
      locations.push_back({{"location", std::move(location)},
                           {"importance", i == 0 ? "essential" : "important"},
                           {"nestingLevel", depth - 1 - i}});
    }
    return {{"id", id}, {"locations", std::move(locations)}};
  }

  void add_code_flow(Json& out, const Diagnostic& diagnostic) {
    Json flows = Json::array();
    const auto add = [&](const std::vector<Frame>& stack, const std::string& words) {
      Json flow = thread_flow(std::to_string(flows.size() + 1), stack, words);
      if (!flow["locations"].empty()) flows.push_back(std::move(flow));
    };
    add(diagnostic.stack, diagnostic.message);
    for (const Note& note : diagnostic.notes)
      if (note.kind == Note::Kind::other_access || note.kind == Note::Kind::step) add(note.stack, note.message);
    if (!flows.empty())
      out["codeFlows"] =
          Json::array({{{"message", message("The call stacks of the accesses.")}, {"threadFlows", std::move(flows)}}});
  }

  /// JSON has no other bytes than UTF-8: a line with others would not come out as it stands.
  static bool are_readable(const std::vector<Edit>& edits) {
    return std::all_of(edits.begin(), edits.end(), [](const Edit& edit) { return as_utf8(edit.text) == edit.text; });
  }

  /// One change, of all its edits.
  Json fix(const Diagnostic& diagnostic) {
    std::map<std::string, Json> replacements;
    for (const Edit& edit : diagnostic.edits) {
      const auto line = edit.place.line;
      Json region{{"startLine", line}}; // the whole line, without its end
      if (!edit.replaces) region = {{"startLine", line}, {"startColumn", 1}, {"endLine", line}, {"endColumn", 1}};
      if (edit.removes()) region = {{"startLine", line}, {"startColumn", 1}, {"endLine", line + 1}, {"endColumn", 1}};
      replacements[edit.place.file].push_back(
          {{"deletedRegion", region}, {"insertedContent", {{"text", edit.text + (edit.replaces ? "" : "\n")}}}});
    }
    Json changes = Json::array();
    for (auto& [file, list] : replacements)
      changes.push_back({{"artifactLocation", places_.artifact(file)}, {"replacements", std::move(list)}});
    const auto note = std::find_if(diagnostic.notes.begin(), diagnostic.notes.end(),
                                   [](const Note& one) { return one.kind == Note::Kind::fix; });
    const std::string words =
        note != diagnostic.notes.end() ? fix_with_line(*note, diagnostic.place) : "change these lines";
    return {{"description", message(sentence(words))}, {"artifactChanges", std::move(changes)}};
  }

  SarifPlaces& places_;
  const std::vector<Run>& runs_;
};

Json statistics(const std::vector<Run>& runs) {
  Json out = Json::array();
  for (const Run& run : runs) {
    Json numbers = Json::object();
    for (const auto& [name, value] : run.statistics) numbers[name] = value;
    out.push_back({{"level", std::string(name_of(run.level))}, {"threads", run.threads}, {"statistics", numbers}});
  }
  return out;
}

std::string written(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace

// Results are a line each, and are turned into text one by one: of thousands, the values together take many times as
// much memory.
std::string sarif_report(const std::vector<Run>& runs, const std::vector<Diagnostic>& diagnostics, SourceText& sources,
                         const std::vector<std::string>& warnings) {
  SarifPlaces places(sources);
  Results results_of(places, runs);
  Json rules = Json::array(), invocations = Json::array();
  std::string results;
  for (const RuleText& text : rule_catalogue()) rules.push_back(rule(text));
  for (const Diagnostic& diagnostic : diagnostics)
    results += (results.empty() ? "\n        " : ",\n        ") + written(results_of.result(diagnostic), -1);
  for (const Run& run : runs) invocations.push_back(invocation(run));
  if (!invocations.empty())
    for (const auto& warning : warnings) invocations[0]["toolExecutionNotifications"].push_back(notification(warning));

  const std::string program = runs.empty() ? std::string() : runs.front().program;
  const std::string version = runs.empty() ? std::string() : runs.front().tool_version;
  Json driver{{"name", "Fletcher"},
              {"organization", "The Fletcher project"},
              {"shortDescription", {{"text", "Checks OpenMP programs for data races, dependence bugs and deadlocks."}}},
              {"informationUri", std::string(documentation) + "README.md"},
              {"rules", rules}};
  if (!version.empty()) driver["version"] = version, driver["semanticVersion"] = version;
  Json run{{"tool", {{"driver", driver}}},
           {"columnKind", "utf16CodeUnits"},
           {"automationDetails", {{"id", "fletcher/" + program.substr(program.rfind('/') + 1) + "/"}}},
           {"originalUriBaseIds",
            {{source_root_id, {{"uri", folder_uri(sources.root())}, {"description", {{"text", "The source root."}}}}}}},
           {"invocations", invocations},
           {"results", Json::array()},
           {"properties", {{"runs", statistics(runs)}}}};
  if (!places.artifacts().empty()) run["artifacts"] = places.artifacts();
  const Json log{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  std::string out = written(log, 2) + "\n";
  const std::string_view empty = "\"results\": [";
  // Quotes within strings have a backslash before them.
  if (!results.empty()) out.insert(out.find(empty) + empty.size(), results + "\n      ");
  return out;
}

} // namespace fletcher::reports

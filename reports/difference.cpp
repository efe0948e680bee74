// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/difference.hpp"

#include "reports/document/enum_names.hpp"
#include "reports/document/files.hpp"
#include "reports/document/words.hpp"
#include "reports/explanation/rule_catalogue.hpp"
#include "reports/forms/sarif.hpp"

#include <nlohmann/json.hpp>

#include <map>

namespace fletcher::reports {

namespace {

using Json = nlohmann::json;

std::string in_a_line(const std::string& place, const std::string& severity, const std::string& message,
                      const std::string& rule) {
  return one_line(place + ": " + severity + ": " + message + " [" + rule + "]");
}

ShortFinding of_sarif(const Json& result) {
  ShortFinding out;
  const std::string level = result.value("level", "error");
  out.severity = value_of<Severity>(level).value_or(Severity::warning);
  out.fingerprint = result.at("partialFingerprints").at(fingerprint_name).get<std::string>();
  const Json place = result.at("locations").at(0).at("physicalLocation");
  std::string where = place.at("artifactLocation").value("uri", "");
  if (place.contains("region")) where += ":" + std::to_string(place["region"].value("startLine", 0));
  std::string message = result.at("message").at("text").get<std::string>();
  message = message.substr(0, message.find(". ")); // without the advice
  if (message.ends_with('.')) message.pop_back();
  out.line = in_a_line(where, level, message, result.value("ruleId", ""));
  return out;
}

Result<std::vector<ShortFinding>> all_of_sarif(const Json& log, const std::string& path) {
  try {
    std::vector<ShortFinding> out;
    for (const Json& run : log.at("runs"))
      for (const Json& result : run.value("results", Json::array()))
        if (!result.contains("suppressions")) out.push_back(of_sarif(result));
    return out;
  } catch (const Json::exception&) {
    return Error{path + ": not a SARIF file of Fletcher's"};
  }
}

} // namespace

Result<std::vector<ShortFinding>> short_findings(const RenderOptions& options) {
  if (options.documents.size() == 1) {
    const auto text = read_file(options.documents.front());
    if (!text) return Error{text.error()};
    const Json log = Json::parse(*text, nullptr, false);
    if (log.is_object() && log.contains("runs")) return all_of_sarif(log, options.documents.front());
  }
  const auto report = report_of(options);
  if (!report) return Error{report.error()};
  std::vector<ShortFinding> out;
  for (const Diagnostic& one : report->diagnostics) {
    if (!one.counts()) continue;
    std::string place = shown_file(report->sources, one.place, one.stack);
    if (one.place.known()) place += ":" + std::to_string(one.place.line);
    out.push_back(
        {one.fingerprint, one.severity,
         in_a_line(place, std::string(name_of(one.severity)), one.message, std::string(rule_text(one.rule).id))});
  }
  return out;
}

Difference difference(const std::vector<ShortFinding>& before, const std::vector<ShortFinding>& after) {
  std::map<std::string, std::vector<const ShortFinding*>> old;
  for (const ShortFinding& one : before) old[one.fingerprint].push_back(&one);
  Difference out;
  for (const ShortFinding& one : after) {
    auto& same = old[one.fingerprint];
    if (same.empty()) {
      out.fresh.push_back(one);
      continue;
    }
    same.pop_back();
    ++out.unchanged;
  }
  for (const auto& [fingerprint, left] : old)
    for (const ShortFinding* const one : left) out.gone.push_back(*one);
  return out;
}

} // namespace fletcher::reports

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cli/repair_session.hpp"

#include "reports/document/files.hpp"
#include "reports/document/words.hpp"
#include "reports/explanation/causes/causes.hpp"
#include "reports/explanation/rule_catalogue.hpp"
#include "reports/render.hpp"
#include "reports/repair/apply.hpp"
#include "tools/cli/child.hpp"
#include "tools/cli/helpers.hpp"
#include "tools/common/installation.hpp"

#include <algorithm>
#include <cmath>

namespace fletcher::cli {

namespace fs = std::filesystem;
using reports::Diagnostic;
using reports::Edit;

namespace {

constexpr std::size_t most_rounds = 10;

std::map<std::string, std::vector<Edit>> by_file(const std::vector<Diagnostic>& all) {
  std::map<std::string, std::vector<Edit>> out;
  for (const Diagnostic& one : all)
    for (const Edit& edit : one.edits) out[edit.place.file].push_back(edit);
  return out;
}

std::string change_of(const Diagnostic& diagnostic) {
  const auto note = std::find_if(diagnostic.notes.begin(), diagnostic.notes.end(),
                                 [](const auto& one) { return one.kind == reports::Note::Kind::fix; });
  const std::string message = note == diagnostic.notes.end() ? diagnostic.message : note->message;
  return reports::without_trial(message);
}

} // namespace

fs::path RepairSession::path_of(const std::string& file) const {
  std::error_code ignored;
  const fs::path path = fs::weakly_canonical(options_.root / file, ignored); // an absolute name replaces the root
  return ignored ? fs::path() : path;
}

bool RepairSession::is_allowed(const std::string& file) const {
  const fs::path path = path_of(file);
  const auto [end, rest] = std::mismatch(options_.root.begin(), options_.root.end(), path.begin(), path.end());
  std::error_code ignored;
  return end == options_.root.end() && rest != path.end() && fs::is_regular_file(path, ignored);
}

std::string RepairSession::shown(const reports::SourcePlace& place) const {
  if (!place.known()) return "?";
  const reports::SourceText sources(options_.root.string());
  return sources.shown(place.file) + ":" + std::to_string(place.line);
}

std::string RepairSession::kind(const Diagnostic& diagnostic) {
  const reports::Frame* const frame = reports::frame_of_interest(diagnostic.stack);
  return std::string(reports::rule_text(diagnostic.rule).id) + "|" + diagnostic.variable + "|" + diagnostic.place.file +
         "|" + (frame != nullptr ? frame->function.name : std::string());
}

RepairSession::Kinds RepairSession::kinds(const std::vector<Diagnostic>& findings) {
  Kinds out;
  for (const Diagnostic& one : findings) ++out[kind(one)];
  return out;
}

bool RepairSession::build() {
  if (options_.build.empty()) return true;
  const fs::path log = folder_ / "build.log";
  const auto ended = run_child({.words = {"/bin/sh", "-c", options_.build}, .output = log});
  if (ended && ended->status == 0) return true;
  problem_ = "'" + options_.build + "' failed";
  return false;
}

std::optional<RepairSession::Result> RepairSession::run() {
  const fs::path documents = folder_ / "documents";
  std::error_code ignored;
  fs::remove_all(documents, ignored);
  fs::create_directories(documents, ignored);
  std::vector<std::string> words{
      (tools::find_installation().binaries / "fletcher").string(), "run", "--exitcode", "0", "--options",
      "document='" + (documents / "%p.json").string() + "'",       "--"};
  words.insert(words.end(), options_.command.begin(), options_.command.end());
  constexpr double patience = 10, least = 60;
  std::optional<std::chrono::seconds> limit;
  if (seconds_ > 0) limit = std::chrono::seconds(static_cast<long>(std::ceil(least + patience * seconds_)));
  const auto ended = run_child({.words = words, .output = folder_ / "run.log", .limit = limit});
  if (!ended) {
    problem_ = "the program could not be started";
    return std::nullopt;
  }
  if (ended->timed_out) {
    problem_ = "the program did not end";
    return std::nullopt;
  }
  if (seconds_ == 0) seconds_ = ended->time.count();
  reports::RenderOptions render;
  for (const auto& entry : fs::directory_iterator(documents, ignored))
    if (entry.path().extension() == ".json") render.documents.push_back(entry.path().string());
  std::sort(render.documents.begin(), render.documents.end());
  if (render.documents.empty()) {
    problem_ = "nothing was checked: the program ended with status " + std::to_string(ended->status);
    return std::nullopt;
  }
  render.source_root = options_.root.string();
  add_helpers(render);
  render.suppressions = options_.suppressions;
  Result out{reports::findings_of(render), ended->status};
  std::erase_if(out.findings, [](const Diagnostic& one) { return !one.counts(); });
  return out;
}

std::optional<std::string> RepairSession::begin() {
  if (!build()) return problem_;
  auto first = run();
  if (!first) return problem_;
  findings_ = std::move(first->findings);
  status_ = first->status;
  found_ = findings_.size();
  return std::nullopt;
}

std::vector<Diagnostic> RepairSession::candidates() const {
  std::vector<Diagnostic> out;
  std::set<std::pair<std::string, std::uint32_t>> lines;
  for (const Diagnostic& one : findings_) {
    if (one.edits.empty() || refused_.contains(one.edits)) continue;
    const bool possible = std::all_of(one.edits.begin(), one.edits.end(), [&](const Edit& edit) {
      return is_allowed(edit.place.file) && !lines.contains({edit.place.file, edit.place.line});
    });
    if (!possible) continue;
    for (const Edit& edit : one.edits) lines.insert({edit.place.file, edit.place.line});
    out.push_back(one);
  }
  return out;
}

std::string RepairSession::difference() {
  std::string out;
  for (const auto& [file, edits] : by_file(candidates())) {
    const auto text = reports::read_file(path_of(file).string());
    if (text) out += reports::unified_diff(path_of(file).lexically_relative(options_.root).string(), *text, edits);
  }
  return out;
}

/// Empty: none.
std::string RepairSession::objection(const std::vector<Diagnostic>& all, const Result& now) const {
  if (status_ == 0 && now.status != 0) return "the program then ended with status " + std::to_string(now.status);
  const Kinds before = kinds(findings_), after = kinds(now.findings);
  for (const Diagnostic& one : now.findings) {
    const auto known = before.find(kind(one));
    if (known == before.end() || after.at(kind(one)) > known->second)
      return "it brought another finding: " + one.message;
  }
  Kinds wanted;
  for (const Diagnostic& one : all) ++wanted[kind(one)];
  for (const auto& [kind, count] : wanted) {
    const auto still = after.find(kind);
    if (still != after.end() && still->second + count > before.at(kind)) return "the finding did not vanish";
  }
  return {};
}

bool RepairSession::attempt(const std::vector<Diagnostic>& all) {
  std::map<fs::path, std::string> originals;
  problem_.clear();
  for (const auto& [file, edits] : by_file(all)) {
    const fs::path path = path_of(file);
    const auto text = reports::read_file(path.string());
    if (!text) {
      problem_ = text.error();
      break;
    }
    originals[path] = *text;
    const auto written = reports::write_file_atomically(path.string(), reports::with_edits(*text, edits));
    if (!written) problem_ = written.error();
  }
  if (problem_.empty() && build()) {
    if (auto now = run()) {
      problem_ = objection(all, *now);
      if (problem_.empty()) {
        findings_ = std::move(now->findings);
        status_ = now->status;
        return true;
      }
    }
  }
  for (const auto& [path, text] : originals) // what was not written is as it was
    if (const auto back = reports::write_file_atomically(path.string(), text); !back) problem_ = back.error();
  return false;
}

void RepairSession::remember(const std::vector<Diagnostic>& all, bool kept) {
  for (const Diagnostic& one : all) {
    const std::string change = change_of(one);
    trials_.push_back({shown(one.edits.front().place), change.starts_with("fix: ") ? change.substr(5) : change, kept,
                       kept ? std::string() : problem_});
    if (!kept) refused_.insert(one.edits);
  }
}

void RepairSession::repair() {
  bool built = true; // what the sources are
  for (std::size_t round = 0; round < most_rounds; ++round) {
    const std::vector<Diagnostic> all = candidates();
    if (all.empty()) break;
    if (attempt(all)) {
      remember(all, true);
      continue;
    }
    built = false;
    if (all.size() == 1) {
      remember(all, false);
      continue;
    }
    for (const Diagnostic& one : all) { // one of them is to blame; lines move when another one is made
      const auto now = candidates();
      const auto again =
          std::find_if(now.begin(), now.end(), [&](const Diagnostic& d) { return kind(d) == kind(one); });
      if (again == now.end()) continue;
      const std::vector<Diagnostic> alone{*again};
      built = attempt(alone);
      remember(alone, built);
    }
  }
  if (!built) build();
}

} // namespace fletcher::cli

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts the pieces together: documents, symbols, diagnostics, suppressions, output forms.
#include "reports/render.hpp"

#include "reports/document/document.hpp"
#include "reports/document/files.hpp"
#include "reports/document/finding_key.hpp"
#include "reports/document/read_ahead.hpp"
#include "reports/document/words.hpp"
#include "reports/explanation/causes/causes.hpp"
#include "reports/explanation/diagnostic.hpp"
#include "reports/explanation/explain_death.hpp"
#include "reports/filters/ignore_list.hpp"
#include "reports/filters/suppressions.hpp"
#include "reports/forms/html.hpp"
#include "reports/forms/sarif.hpp"
#include "reports/forms/services.hpp"
#include "reports/forms/text.hpp"
#include "reports/graph/graph_file.hpp"
#include "reports/patience.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace fletcher::reports {
namespace {

/// False where the file does not take all of it.
bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool write_to_stderr(std::string_view text) { return write_all(STDERR_FILENO, text); }

void complain(const std::string& line) { write_to_stderr("fletcher: " + line + "\n"); }

bool wants_color(const RenderOptions& options) {
  if (options.color != Color::automatic) return options.color == Color::always;
  const char* terminal = std::getenv("TERM");
  return std::getenv("NO_COLOR") == nullptr && ::isatty(STDERR_FILENO) == 1 &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

} // namespace

class Accumulation::Rendering {
public:
  explicit Rendering(RenderOptions options) : options_(std::move(options)) {}

  bool add(const std::string& path, const std::string& command) {
    if (!runs_.empty()) step("reading " + path); // or the step before would seem to last
    return add(read_document(path), command);
  }

  void add_all() {
    for (ReadAhead documents(options_.documents); !documents.is_over();) {
      if (!runs_.empty()) step("reading " + documents.path());
      add(documents.take(), {});
    }
  }

  bool add(Result<Document> document, const std::string& command) {
    if (!document) {
      complain(document.error());
      failed_ = true;
      return false;
    }
    document->run.command = command;
    if (!sources_)
      sources_.emplace(options_.source_root.empty() ? document->run.working_directory : options_.source_root);
    take(*document);
    return true;
  }

  /// Writes everything; of what there is nothing can be asked any more.
  int finish() {
    if (!sources_) return render_failed;
    explain_waiting();
    const std::vector<Diagnostic> all = findings(std::exchange(each_, {}));
    if (!all.empty()) step("writing the report of " + plural(all.size(), "finding"));
    const bool told = write(all);
    if (failed_) return render_failed;
    const bool errors = std::any_of(all.begin(), all.end(),
                                    [](const Diagnostic& d) { return d.counts() && d.severity == Severity::error; });
    const int status = errors && options_.status_tells_errors ? render_errors : render_done;
    return told || !options_.status_tells_untold ? status : status + render_untold;
  }

  std::vector<Diagnostic> findings() {
    explain_waiting();
    return findings(each_);
  }

  Result<Report> report() {
    if (!sources_ || failed_) return Error{"a document could not be read"};
    explain_waiting();
    std::vector<Diagnostic> diagnostics = findings(std::exchange(each_, {}));
    return Report{std::move(diagnostics), std::move(*sources_)};
  }

private:
  using Each = std::vector<std::optional<Diagnostic>>;

  /// What no earlier document has of one that is not explained yet.
  struct Waiting {
    Document document;
    std::vector<std::size_t> places; ///< of its findings in each_
    std::uint32_t run;
  };
  /// Another process that has a finding.
  struct Again {
    std::size_t place;
    std::uint64_t count;
    std::uint32_t run;
  };
  /// What waits is explained when there is so much of it: this bounds the memory that it takes.
  static constexpr std::size_t documents_at_once = 32, findings_at_once = 512, repetitions_at_once = 1 << 20;

  std::vector<Diagnostic> findings(Each each) {
    std::vector<Diagnostic> all;
    for (auto& diagnostic : each)
      if (diagnostic) all.push_back(std::move(*diagnostic));
    if (!sources_) return {};
    std::erase_if(all, is_of_the_library);
    ignore(all);
    suppress(all);
    all = merged(std::move(all));
    if (options_.group)
      all = grouped_by_cause(std::move(all), *sources_);
    else
      try_edits(all, *sources_);
    compare(all);
    return all;
  }

  void complain(const std::string& line) {
    if (std::find(complaints_.begin(), complaints_.end(), line) != complaints_.end()) return;
    complaints_.push_back(line);
    reports::complain(line);
  }

  void step(const std::string& what) {
    if (options_.says_steps) patience_.step(what);
  }

  /// Of a document only what no earlier one has is explained: a thousand processes that found the same cost no more
  /// than reading what they left, and no document is kept for long. Several are explained at once, as the programs that
  /// know lines and names read debug information each time they start.
  void take(Document& document) {
    const auto run = static_cast<std::uint32_t>(runs_.size());
    runs_.push_back(document.run);
    if (document.run.death) explain_end(document);
    std::vector<Finding> fresh;
    std::vector<std::size_t> places;                   // in each_
    std::unordered_map<std::string, unsigned> of_this; // what one process tells apart, reports do
    for (Finding& finding : document.findings) {
      const std::string key = finding_key(document, finding);
      const auto [known, is_fresh] = known_.try_emplace(key + std::to_string(of_this[key]++), each_.size());
      if (!is_fresh) {
        again_.push_back({known->second, finding.count, run});
        continue;
      }
      places.push_back(each_.size());
      each_.emplace_back();
      fresh.push_back(std::move(finding));
    }
    document.findings = std::move(fresh);
    findings_waiting_ += places.size();
    if (!places.empty() || is_drawn(run)) waiting_.push_back({std::move(document), std::move(places), run});
    if (waiting_.empty() || is_drawn(run) || waiting_.size() >= documents_at_once ||
        findings_waiting_ >= findings_at_once || again_.size() >= repetitions_at_once)
      explain_waiting();
  }

  bool is_drawn(std::uint32_t run) const { return !options_.graph.empty() && run == 0; }

  void draw(const Document& document) {
    step("drawing the task graph");
    std::vector<Diagnostic> marks;
    for (const auto& diagnostic : each_)
      if (diagnostic) marks.push_back(*diagnostic);
    const auto drawn = write_graph(options_.graph, options_.trace, document, marks, *sources_, options_.symbolizer);
    if (!drawn) complain(drawn.error());
  }

  void explain_waiting() {
    std::vector<const Document*> documents;
    for (const Waiting& one : waiting_) documents.push_back(&one.document);
    if (const std::size_t count = std::exchange(findings_waiting_, 0); count != 0) {
      step("looking up the lines and names of " + plural(count, "finding"));
      const auto symbols = symbolize_each(documents, options_.symbolizer, options_.frame_variables);
      step("explaining " + plural(count, "finding"));
      for (std::size_t i = 0; i < waiting_.size(); ++i) explain(waiting_[i], symbols[i]);
    }
    for (const Waiting& one : waiting_)
      if (is_drawn(one.run)) draw(one.document);
    waiting_.clear();
    for (const auto& [place, count, run] : std::exchange(again_, {}))
      if (each_[place]) add_occurrences(*each_[place], count, {run});
  }

  void explain(const Waiting& one, const SymbolTable& symbols) {
    warn(symbols.problem());
    auto diagnostics = diagnose_each(one.document, symbols, *sources_);
    for (std::size_t i = 0; i < diagnostics.size(); ++i) {
      if (diagnostics[i]) diagnostics[i]->runs = {one.run};
      each_[one.places[i]] = std::move(diagnostics[i]);
    }
  }

  void explain_end(const Document& document) {
    const SymbolTable symbols = symbolize(document, options_.symbolizer, options_.frame_variables);
    warn(symbols.problem());
    for (std::string& note : explain_death(*document.run.death, symbols, *sources_))
      runs_.back().notes.push_back(std::move(note));
  }

  void warn(const std::string& line) {
    if (!line.empty() && std::find(warnings_.begin(), warnings_.end(), line) == warnings_.end())
      warnings_.push_back(line);
  }

  void ignore(std::vector<Diagnostic>& all) {
    if (options_.ignore_list.empty()) return;
    const auto text = read_file(options_.ignore_list);
    if (!text) return complain(text.error());
    const auto list = IgnoreList::parse(*text, options_.ignore_list);
    if (!list) return complain(list.error());
    std::erase_if(all, [&](const Diagnostic& diagnostic) { return list->matches(diagnostic, *sources_); });
  }

  void suppress(std::vector<Diagnostic>& all) {
    if (options_.suppressions.empty()) return;
    const auto text = read_file(options_.suppressions);
    if (!text) return complain(text.error());
    const auto suppressions = Suppressions::parse(*text, options_.suppressions);
    if (!suppressions) return complain(suppressions.error());
    for (Diagnostic& diagnostic : all) diagnostic.suppressed = suppressions->matches(diagnostic, *sources_);
  }

  void compare(std::vector<Diagnostic>& all) {
    if (options_.baseline.empty()) return;
    const auto text = read_file(options_.baseline);
    if (!text) return complain(text.error());
    auto known = read_baseline(*text, options_.baseline);
    if (!known) return complain(known.error());
    // Copied code has findings with equal fingerprints: each of the baseline stands for one.
    for (Diagnostic& diagnostic : all) {
      const auto one = known->find(diagnostic.fingerprint);
      diagnostic.novelty = one != known->end() ? Novelty::unchanged : Novelty::fresh;
      if (one != known->end()) known->erase(one);
    }
  }

  /// False where standard error was to have the text, and did not take it.
  bool write(const std::vector<Diagnostic>& all) {
    SourceText& sources = *sources_;
    const auto text = [&](bool color) {
      const std::string report = text_report(runs_, all, sources, {color, options_.verbose});
      std::string out;
      if (!report.empty())
        for (const auto& warning : warnings_) out += "fletcher: " + warning + "\n";
      return out + report;
    };
    const auto to_file = [&](const std::string& path, const auto& content) {
      if (path.empty()) return true;
      const auto written = write_file_atomically(path, content());
      if (!written) complain(written.error());
      return static_cast<bool>(written);
    };
    bool console = !to_file(options_.text, [&] { return text(false); });
    console |= options_.console;
    const bool told = console || !options_.text.empty();
    // What has no file goes to the console.
    console |= !to_file(options_.sarif, [&] { return sarif_report(runs_, all, sources, warnings_); }) && !told;
    console |= !to_file(options_.html, [&] { return html_report(runs_, all, sources, warnings_); }) && !told;
    console |= !to_file(options_.junit, [&] { return junit_report(runs_, all, sources); }) && !told;
    console |= !to_file(options_.gitlab, [&] { return code_quality_report(all, sources); }) && !told;
    if (options_.github) write_all(STDOUT_FILENO, github_annotations(all, sources));
    return !console || write_to_stderr(text(wants_color(options_)));
  }

  const RenderOptions options_;
  std::optional<SourceText> sources_; ///< nothing: no document could be read
  std::vector<Run> runs_;
  Each each_; ///< of each finding that no earlier document has
  std::unordered_map<std::string, std::size_t> known_;
  std::vector<Waiting> waiting_;
  std::size_t findings_waiting_ = 0;
  std::vector<Again> again_;
  std::vector<std::string> warnings_;
  std::vector<std::string> complaints_;
  bool failed_ = false;
  Patience patience_{std::chrono::seconds(2), reports::complain};
};

Accumulation::Accumulation(RenderOptions options) : rendering_(std::make_unique<Rendering>(std::move(options))) {
  rendering_->add_all();
}
Accumulation::~Accumulation() = default;

bool Accumulation::add(const std::string& document, const std::string& command) {
  return rendering_->add(document, command);
}
std::vector<Diagnostic> Accumulation::findings() const { return rendering_->findings(); }
Result<Report> Accumulation::report() { return rendering_->report(); }
int Accumulation::write() { return rendering_->finish(); }

std::vector<Diagnostic> findings_of(const RenderOptions& options) { return Accumulation(options).findings(); }

Result<Report> report_of(const RenderOptions& options) { return Accumulation(options).report(); }

int render(const RenderOptions& options) noexcept {
  try {
    return Accumulation(options).write();
  } catch (const std::exception& error) {
    complain(std::string("cannot render the report: ") + error.what());
  }
  return render_failed;
}

} // namespace fletcher::reports

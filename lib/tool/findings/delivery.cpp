// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Telling what was found.

#include "lib/tool/findings/delivery.hpp"

#include "checker/checker.hpp"
#include "lib/annotate/reports/file.hpp"
#include "lib/interpose/effects/argument_uses.hpp"
#include "lib/interpose/mpi/findings.hpp"
#include "lib/interpose/mpi/process.hpp"
#include "lib/tool/advice.hpp"
#include "lib/tool/findings/access_sizes.hpp"
#include "lib/tool/findings/chosen_values.hpp"
#include "lib/tool/findings/collector.hpp"
#include "lib/tool/findings/needed_values.hpp"
#include "lib/tool/findings/renderer.hpp"
#include "lib/tool/log.hpp"
#include "lib/tool/log_file.hpp"
#include "lib/tool/process/file_size_limit.hpp"
#include "lib/tool/process/modules.hpp"
#include "lib/tool/process/process.hpp"
#include "lib/tool/serials.hpp"
#include "lib/tool/session.hpp"
#include "lib/tool/task_trace.hpp"
#include "reports/document/plain_text.hpp"

#include <time.h>
#include <unistd.h>

#include <atomic>
#include <optional>
#include <utility>
#include <vector>

namespace fletcher::tool {

namespace {

struct Told {
  std::atomic<pid_t> teller{0}; ///< the thread that tells at this moment
  bool at_end = false;          ///< the report files are written
  std::size_t findings = 0;     ///< as many have been reported
  bool errors = false;          ///< some of them are errors that no suppression takes away
};
constinit Told told;

reports::Level report_level(Level level) noexcept {
  switch (level) {
  case Level::graph:
    return reports::Level::graph;
  case Level::tsan:
    return reports::Level::tsan;
  case Level::native:
    return reports::Level::native;
  }
  return reports::Level::graph;
}

std::uint64_t findings_of(Session& the) { return the.checker().statistics().findings + the.collector().added(); }

/// Findings that were only counted.
std::uint64_t left_out(Session& the) {
  if (the.collector().left_out() == 0) return 0;
  return findings_of(the) - the.collector().size();
}

reports::Run describe_process() {
  reports::Run run;
  run.program = program_path();
  run.arguments = arguments();
  run.process = getpid();
  run.tool_version = FLETCHER_VERSION;
  run.end_time = now_in_milliseconds();
  run.working_directory = working_directory();
  return run;
}

reports::Run describe_run(Session& the) {
  reports::Run run = describe_process();
  run.program = the.program();
  run.level = report_level(the.level());
  run.start_time = the.start_time();
  run.threads = serials::threads.load(std::memory_order_relaxed);
  run.rank = interpose::mpi::process::rank();
  const Statistics statistics = the.checker().statistics();
  run.statistics = {{"tasks", statistics.tasks},
                    {"regions", statistics.regions},
                    {"strands", statistics.strands},
                    {"findings", findings_of(the)}};
  if (statistics.incomplete) run.notes.push_back("the table of strands was full: later accesses were not checked");
  if (annotate::reports_passed_on() != 0)
    run.notes.push_back("ThreadSanitizer reported more than is shown here: see its own text");
  if (the.accesses_forgotten)
    run.notes.push_back(
        "memory_limit was reached: shadow memory was freed, so races with earlier accesses may have been missed");
  if (the.trace() != nullptr && the.trace()->is_full())
    run.notes.push_back("the task graph contains only the first events of the run: later ones are not kept");
  if (const std::uint64_t more = left_out(the); more != 0)
    run.notes.push_back(std::to_string(more) + " further findings are not described (option max_findings)");
  return run;
}

/// The files that this process writes, and the console.
Rendering report_files(const Options& options) {
  Rendering wish;
  wish.sarif = own_file(options.sarif);
  wish.html = own_file(options.html);
  wish.text = own_file(options.text);
  wish.graph = own_file(options.graph);
  return wish;
}

/// As `wish` says, by the renderer if it can be, else as text without symbols. Returns whether there are errors.
bool tell(Session& the, const reports::Document& document, const Rendering& wish) {
  switch (render(the.options(), document, wish)) {
  case Rendered::clean:
    return false;
  case Rendered::errors:
    return true;
  case Rendered::failed:
    break;
  }
  if (wish.console) write_log(reports::plain_text(document));
  return the.collector().has_errors();
}

/// False where it could not be written.
bool keep(const reports::Document& document, const std::string& path) {
  if (path.empty()) return true;
  const FileSizeLimit is_an_error;
  const auto kept = reports::write_document(document, own_file(path));
  if (!kept) say(kept.error());
  return static_cast<bool>(kept);
}

void say_statistics(Session& the) {
  const Statistics statistics = the.checker().statistics();
  if (statistics.tasks == 0 && statistics.regions == 0) return; // which is said instead (unchecked.cpp)
  say("checked " + std::to_string(statistics.tasks) + " tasks in " + std::to_string(statistics.regions) + " regions (" +
      std::to_string(statistics.strands) + " strands, " + std::to_string(serials::threads.load()) +
      " threads): " + std::to_string(the.collector().size() + left_out(the)) + " findings");
}

/// Everything goes into the report files; the console gets what was not printed yet.
void tell_news(Session& the, Occasion occasion, std::optional<Step> death) {
  const bool early = occasion == Occasion::deadlock || occasion == Occasion::leaving;
  const bool last = occasion != Occasion::flush && !early;
  const Options& options = the.options();
  const bool end = early || (last && !std::exchange(told.at_end, true));
  Rendering wish = report_files(options);
  const bool files = end && wish.files();
  const std::size_t known = the.collector().size();
  const bool news = known > told.findings || death.has_value();
  bool collects = !options.collect.empty(); // the document is all that is reported, so it is kept early, too
  if (!news && !files && !(end && !options.document.empty())) return;
  std::vector<Finding> findings = the.collector().findings();
  const bool for_sanitizer = the.level() != Level::tsan && is_code_of_sanitizer();
  for (Finding& finding : findings) {
    interpose::mpi::tell_calls(finding);
    interpose::argument_uses::tell(finding);
    tell_sizes(finding);
    if (for_sanitizer) tell_unneeded_reads(finding);
  }
  reports::Run run = describe_run(the);
  run.death = std::move(death);
  const reports::Document all =
      reports::make_document(std::move(run), known_modules(the.program()), std::move(findings));
  if ((end || collects) && !keep(all, options.document)) collects = false; // the text stands for it
  const bool together = files && told.findings == 0;
  wish.console = together && news && !collects;
  if (the.trace() != nullptr) wish.trace = the.trace()->bytes();
  if (files && tell(the, all, wish)) told.errors = true;
  if (collects && the.collector().has_errors()) told.errors = true;
  if (news && !together && !collects) {
    reports::Document fresh = all;
    if (told.findings != 0)
      fresh.run.notes.push_back("earlier findings of this process are neither printed nor counted again");
    fresh.findings.erase(fresh.findings.begin(), fresh.findings.begin() + static_cast<std::ptrdiff_t>(told.findings));
    if (tell(the, fresh, {})) told.errors = true;
  }
  told.findings = known;
}

/// False where another delivery is under way. At the end of the process its end is waited for: what follows here would
/// take the other thread away in the midst of its words.
bool begin_to_tell(Occasion occasion) noexcept {
  constexpr int patience_in_milliseconds = 20'000;
  const pid_t self = gettid();
  for (int waited = 0; waited < patience_in_milliseconds; ++waited) {
    pid_t teller = 0;
    if (told.teller.compare_exchange_strong(teller, self)) return true;
    if (teller == self || occasion == Occasion::flush || occasion == Occasion::finalize) return false;
    const timespec millisecond{0, 1'000'000};
    nanosleep(&millisecond, nullptr);
  }
  return false;
}

/// Findings that are only counted count as errors, too: no suppression was asked about them.
void tell_of_more(Session& the) {
  const std::uint64_t more = left_out(the);
  if (more == 0) return;
  if (told.findings == 0)
    say(std::to_string(more) + " findings, none of them described (option max_findings)");
  else if (!told.errors)
    say(std::to_string(more) + " further findings are not described (option max_findings), and count as errors");
  if (the.collector().has_errors()) told.errors = true;
}

} // namespace

bool deliver(Occasion occasion, std::optional<Step> death) {
  Session* const the = session();
  if (the == nullptr || !begin_to_tell(occasion)) return told.errors;
  {
    const InsideTool inside;
    if (occasion == Occasion::exit || occasion == Occasion::finalize) {
      the->checker().conclude();
      advice::conclude(*the);
    }
    const bool ends = occasion == Occasion::exit || occasion == Occasion::signal;
    annotate::read_reports(the->collector(), the->program(), ends);
    tell_news(*the, occasion, std::move(death));
    if (annotate::reports_passed_on() != 0) told.errors = true;
    if (occasion == Occasion::exit && the->options().collect.empty()) tell_of_more(*the);
    if (occasion == Occasion::exit && the->options().verbose) say_statistics(*the);
  }
  told.teller = 0;
  return told.errors;
}

void deliver_unchecked(const std::string& reason) {
  const Options& options = options_of_environment();
  Rendering wish = report_files(options);
  wish.console = false;
  if (!wish.files() && options.document.empty()) return;
  reports::Run run = describe_process();
  run.start_time = run.end_time;
  run.notes.push_back(reason);
  const reports::Document nothing = reports::make_document(run, known_modules(run.program), {});
  keep(nothing, options.document);
  if (wish.files()) render(options, nothing, wish);
}

void forget_delivered() noexcept {
  told.teller = 0;
  told.at_end = false;
  told.findings = 0;
  told.errors = false;
}

} // namespace fletcher::tool

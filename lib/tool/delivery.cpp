// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Telling what was found.

#include "lib/tool/delivery.hpp"

#include "checker/checker.hpp"
#include "lib/tool/collector.hpp"
#include "lib/tool/log.hpp"
#include "lib/tool/modules.hpp"
#include "lib/tool/renderer.hpp"
#include "lib/tool/serials.hpp"
#include "lib/tool/session.hpp"
#include "reports/plain_text.hpp"

#include <time.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <utility>

namespace fletcher::tool {

namespace {

struct Told {
  std::atomic<bool> busy{false};
  std::atomic<bool> at_end{false}; ///< the report files are written
  std::size_t findings = 0;        ///< as many have been told
  bool finished = false;           ///< the checker has looked at what was left
};
constinit Told told;

std::string working_directory() {
  std::string path(4096, '\0');
  if (getcwd(path.data(), path.size()) == nullptr) return {};
  path.resize(path.find('\0'));
  return path;
}

std::vector<std::string> arguments() {
  std::ifstream file("/proc/self/cmdline");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> list;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    list.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (!list.empty()) list.erase(list.begin());
  return list;
}

std::int64_t now_in_milliseconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

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

reports::Run describe_run(Session& the) {
  reports::Run run;
  run.program = program_path();
  run.arguments = arguments();
  run.process = getpid();
  run.tool_version = FLETCHER_VERSION;
  run.level = report_level(the.level());
  run.start_time = the.start_time();
  run.end_time = now_in_milliseconds();
  run.working_directory = working_directory();
  run.threads = serials::threads.load(std::memory_order_relaxed);
  const Statistics statistics = the.checker().statistics();
  run.statistics = {{"tasks", statistics.tasks},
                    {"regions", statistics.regions},
                    {"strands", statistics.strands},
                    {"findings", statistics.findings}};
  if (const std::uint64_t more = the.collector().left_out(); more != 0)
    run.notes.push_back(std::to_string(more) + " further findings are not described (option max_findings)");
  return run;
}

/// On stderr (or log_path), by the renderer if it can be, else without symbols.
void tell_as_text(Session& the, const reports::Document& document) {
  const Rendering wish{{}, {}, true};
  if (!render(the.options(), document, wish)) write_all(log_descriptor(), reports::plain_text(document));
}

void write_files(Session& the, const reports::Document& document, bool text_too) {
  const Options& options = the.options();
  Rendering wish{expand_path(options.sarif, getpid()), expand_path(options.text, getpid()), text_too};
  if (!options.document.empty()) {
    const auto kept = reports::write_document(document, expand_path(options.document, getpid()));
    if (!kept) say(kept.error());
  }
  if (wish.sarif.empty() && wish.text.empty() && !text_too) return;
  if (render(options, document, wish)) return;
  if (text_too) write_all(log_descriptor(), reports::plain_text(document));
}

void say_statistics(Session& the) {
  const Statistics statistics = the.checker().statistics();
  say("checked " + std::to_string(statistics.tasks) + " tasks in " + std::to_string(statistics.regions) + " regions (" +
      std::to_string(statistics.strands) + " strands, " + std::to_string(serials::threads.load()) +
      " threads): " + std::to_string(the.collector().size() + the.collector().left_out()) + " findings");
}

void tell(Session& the, Occasion occasion) {
  const bool last = occasion != Occasion::flush;
  if (last && occasion != Occasion::signal && !std::exchange(told.finished, true)) the.checker().finish();
  const Options& options = the.options();
  const bool files =
      last && (!options.sarif.empty() || !options.text.empty() || !options.document.empty()) && !told.at_end.load();
  const std::size_t known = the.collector().size();
  const bool news = known > told.findings;
  if (!news && !files) return;
  const reports::Document all = reports::make_document(describe_run(the), loaded_modules(), the.collector().findings());
  if (told.findings == 0 && files) {
    write_files(the, all, news);
  } else {
    reports::Document fresh = all;
    fresh.findings.erase(fresh.findings.begin(), fresh.findings.begin() + static_cast<std::ptrdiff_t>(told.findings));
    if (news) tell_as_text(the, fresh);
    if (files) write_files(the, all, false);
  }
  told.findings = known;
  if (last) told.at_end = true;
}

} // namespace

bool deliver(Occasion occasion) {
  Session* const the = session();
  if (the == nullptr) return false;
  if (told.busy.exchange(true)) return the->collector().has_errors();
  {
    const InsideTool inside;
    tell(*the, occasion);
    if (occasion == Occasion::exit && the->options().verbose) say_statistics(*the);
  }
  told.busy = false;
  return the->collector().has_errors();
}

void forget_delivered() noexcept {
  told.busy = false;
  told.at_end = false;
  told.findings = 0;
  told.finished = false;
}

} // namespace fletcher::tool

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The start of a session: options, level, checker, listeners.

#include "lib/tool/session.hpp"

#include "checker/checker.hpp"
#include "checker/memory/spin_lock.hpp"
#include "lib/annotate/annotator.hpp"
#include "lib/annotate/reports/file.hpp"
#include "lib/interpose/effects/binding_calls.hpp"
#include "lib/interpose/memory/memory_map.hpp"
#include "lib/interpose/process/limits.hpp"
#include "lib/interpose/real.hpp"
#include "lib/interpose/takeover/earlier_threads.hpp"
#include "lib/interpose/takeover/takeover.hpp"
#include "lib/tool/advice.hpp"
#include "lib/tool/chain.hpp"
#include "lib/tool/delays.hpp"
#include "lib/tool/event_log.hpp"
#include "lib/tool/findings/collector.hpp"
#include "lib/tool/findings/renderer.hpp"
#include "lib/tool/log.hpp"
#include "lib/tool/process/ending.hpp"
#include "lib/tool/process/preloads.hpp"
#include "lib/tool/process/process.hpp"
#include "lib/tool/process/thread_memory.hpp"
#include "lib/tool/task_trace.hpp"
#include "lib/tool/watcher.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace fletcher::tool {

namespace {

/// __tsan_init of a ThreadSanitizer runtime that is not this library; null: there is none in the process.
const void* foreign_tsan() noexcept {
  const void* const found = dlsym(RTLD_DEFAULT, "__tsan_init");
  return found == nullptr || interpose::is_own(found) ? nullptr : found;
}

struct Chosen {
  Level level;
  bool taken_over = false; ///< from ThreadSanitizer's runtime
};

Chosen find_level(const Options& options, bool instrumented) {
  const void* const foreign = instrumented ? nullptr : foreign_tsan();
  if (options.level == "graph") return {Level::graph};
  if (options.level == "tsan" && foreign == nullptr)
    say("level=tsan: the program has no ThreadSanitizer runtime of its own; checking at level " +
        std::string(name(instrumented ? Level::native : Level::graph)));
  if (instrumented) return {Level::native};
  if (foreign != nullptr && options.level != "tsan") {
    const char* const hindrance = interpose::take_over_from_thread_sanitizer(foreign, interpose::led_past_its_effects);
    if (hindrance == nullptr) return {Level::native, true};
    if (options.verbose) say(std::string("ThreadSanitizer's runtime stays: ") + hindrance);
  }
  const Level level = foreign != nullptr ? Level::tsan : Level::graph;
  if (options.level == "native")
    say("level=native: the program was not compiled by fletcher-cc; checking at level " + std::string(name(level)));
  return {level};
}

std::string absolute(const std::string& path) {
  if (path.empty() || path.front() == '/') return path;
  return working_directory() + "/" + path;
}

/// The user may have set it for ThreadSanitizer instead.
std::uint32_t exit_status(const Options& options) {
  const char* const ours = std::getenv("FLETCHER_OPTIONS");
  const bool is_told = ours != nullptr && std::strstr(ours, "exitcode=") != nullptr;
  if (is_told || !options.collect.empty()) return options.exitcode;
  return annotate::exit_status_of_sanitizer().value_or(options.exitcode);
}

/// For expand_path.
std::string literal(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '%' ? std::string("%%") : std::string(1, c);
  return out;
}

/// A document in the folder stands for the report. No other process, on whatever machine or earlier, has its name.
void collect_instead(Options& options) {
  options.exitcode = 0;
  if (mkdir(options.collect.c_str(), 0777) != 0 && errno != EEXIST)
    say("cannot make the folder '" + options.collect + "': " + std::strerror(errno));
  utsname machine{};
  uname(&machine);
  std::string name(machine.nodename);
  std::replace(name.begin(), name.end(), '/', '_');
  options.document =
      literal(options.collect + "/fletcher-" + name + "-" + std::to_string(now_in_milliseconds())) + "-%p.json";
}

CheckerConfig checker_config(const Options& options, Level level, bool taken_over, bool sees_libraries) {
  CheckerConfig config;
  if (taken_over) config.address_bits = interpose::shadow_bits_after_takeover();
  config.accesses = level == Level::native || sees_libraries;
  config.all_accesses = level == Level::native;
  config.posix_is_told = level != Level::tsan;
  config.lock_lives_are_told = true;
  config.every_unmatched_reader = options.unmatched == "all";
  static const auto* const memory = new interpose::ProcessMemory; // never destroyed, as the checker
  config.memory = memory;
  config.may_be_worth_sweeping = wake_watcher;
  // One more than are described, so that the collector knows that there are more, and of which kind.
  config.max_findings = std::size_t{options.max_findings} + 1;
  return config;
}

} // namespace

const char* name(Level level) noexcept {
  switch (level) {
  case Level::graph:
    return "graph";
  case Level::tsan:
    return "tsan";
  case Level::native:
    return "native";
  }
  return "";
}

const Options& options_of_environment() {
  static const Options* const the = [] {
    auto* const options = new Options;
    const char* const text = std::getenv("FLETCHER_OPTIONS");
    const auto complaints = parse_options(text == nullptr ? "" : text, *options);
    for (const auto path : {&Options::sarif, &Options::html, &Options::text, &Options::graph, &Options::document,
                            &Options::collect, &Options::suppressions, &Options::ignorelist, &Options::baseline})
      options->*path = absolute(options->*path); // the program may change its folder
    if (!options->log_path.empty()) log_to(absolute(options->log_path));
    for (const std::string& complaint : complaints) say(complaint);
    if (!options->collect.empty()) collect_instead(*options);
    if (options->help) write_all(log_descriptor(), options_help());
    return options;
  }();
  return *the;
}

Session::Session(Options options, Level level, bool taken_over)
    : options_(std::move(options)), level_(level), taken_over_(taken_over),
      sees_libraries_(level == Level::graph && interpose::sees_library_calls()), start_time_(now_in_milliseconds()),
      program_(program_path()), collector_(new Collector(options_.max_findings)),
      checker_(new Checker(checker_config(options_, level, taken_over, sees_libraries_), *collector_)),
      listener_(checker_) {
  sees_libraries_ = sees_libraries_ && checker_->checks_accesses();
  if (level_ == Level::native && checker_->usable() && !checker_->checks_accesses()) {
    say("the system refuses the address space for shadow memory (a limit on virtual memory?): accesses are not "
        "checked");
    level_ = Level::graph;
  }
  if (interpose::earlier_threads::exist())
    listener_ = new Chain(*checker_, *interpose::earlier_threads::make_listener(*checker_));
  if (level_ == Level::tsan) {
    if (Listener* const annotator = annotate::make_annotator()) listener_ = new Chain(*listener_, *annotator);
    options_.exitcode = exit_status(options_);
    annotate::take_reports();
  }
  if (!options_.graph.empty()) {
    trace_ = new TaskTrace;
    listener_ = new Chain(*trace_, *listener_);
  }
  if (options_.advise && level_ == Level::native)
    listener_ = new Chain(advice::record(*checker_), *listener_);
  else if (options_.advise)
    say("advise: no advice: it needs to see the program's accesses (level native)");
  if (!options_.log_events.empty())
    if (EventLog* const log = EventLog::open(own_file(options_.log_events))) listener_ = new Chain(*log, *listener_);
  if (options_.delay != 0) listener_ = new Chain(*new Delays(options_.delay), *listener_);
}

Session* start(bool instrumented) {
  if (Session* const running = session()) return running;
  static constinit memory::SpinLock starting;
  static constinit bool disabled = false;
  if (InsideTool::here()) return nullptr; // our own code, while it starts
  settle_preloads();
  const InsideTool inside;
  const memory::SpinGuard guard(starting);
  if (Session* const running = session()) return running;
  if (disabled) return nullptr;
  const Options& options = options_of_environment();
  if (!options.enabled) {
    disabled = true;
    return nullptr;
  }
  measure_tls();
  const interpose::RoomForTables room;
  const Chosen chosen = find_level(options, instrumented);
  auto* const made = new Session(options, chosen.level, chosen.taken_over);
  if (!made->checker().usable()) {
    say("the system refuses the address space for the checker's tables (a limit on virtual memory?): nothing is "
        "checked");
    unchecked_is_explained();
    delete &made->checker(); // the tables that it did get may be what the program needs
    delete &made->collector();
    disabled = true;
    return nullptr;
  }
  remember_environment();
  detail::the_session.store(made, std::memory_order_release);
  expect_end();
  if (options.verbose) say("checking at level " + std::string(name(made->level())));
  attach_thread(TaskKind::initial);
  if (made->sees_libraries()) interpose::bind_calls_of_all();
  if (chosen.taken_over) interpose::bind_calls_of_instrumented();
  return made;
}

} // namespace fletcher::tool

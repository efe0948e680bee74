// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where an OpenMP runtime finds the tool: ompt_start_tool, and what happens at its initialisation and shutdown.

#include "lib/annotate/annotator.hpp"
#include "lib/annotate/reports/file.hpp"
#include "lib/interpose/binding/late_binding.hpp"
#include "lib/interpose/binding/modules.hpp"
#include "lib/interpose/threads/mutexes.hpp"
#include "lib/ompt/quirks/leagues.hpp"
#include "lib/ompt/quirks/runtime_pools.hpp"
#include "lib/ompt/runtime.hpp"
#include "lib/tool/findings/delivery.hpp"
#include "lib/tool/log.hpp"
#include "lib/tool/session.hpp"
#include "lib/tool/watcher.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>

namespace fletcher::ompt {

namespace {

/// OpenMP 5.0's tools interface as a draft of 2016 dates it is what LLVM's runtimes from 8 on say; before there was
/// none.
constexpr unsigned oldest_version = 201611;

const char* result_name(ompt_set_result_t result) noexcept {
  switch (result) {
  case ompt_set_error:
    return "ompt_set_error";
  case ompt_set_never:
    return "ompt_set_never";
  case ompt_set_impossible:
    return "ompt_set_impossible";
  case ompt_set_sometimes:
    return "ompt_set_sometimes";
  case ompt_set_sometimes_paired:
    return "ompt_set_sometimes_paired";
  case ompt_set_always:
    return "ompt_set_always";
  }
  return "?";
}

/// The shared object around an address; nothing where that is in the executable: linked statically, its code cannot be
/// distinguished from the program's.
CodeRange object_around(Address address) {
  struct Search {
    Address wanted;
    CodeRange found{};
  } search{address};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& asked = *static_cast<Search*>(data);
        Address begin = ~Address{0}, end = 0;
        for (ElfW(Half) i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          begin = std::min(begin, info->dlpi_addr + segment.p_vaddr);
          end = std::max(end, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
        }
        if (asked.wanted < begin || asked.wanted >= end) return 0;
        const bool executable = info->dlpi_name == nullptr || *info->dlpi_name == '\0';
        if (!executable) asked.found = {begin, end};
        return 1;
      },
      &search);
  return search.found;
}

void learn_runtime(ompt_function_lookup_t lookup, bool checks_accesses) {
  runtime.checks_accesses = checks_accesses;
  runtime.get_task_memory = reinterpret_cast<ompt_get_task_memory_t>(lookup("ompt_get_task_memory"));
  runtime.get_task_info = reinterpret_cast<ompt_get_task_info_t>(lookup("ompt_get_task_info"));
  const auto address = reinterpret_cast<Address>(lookup("ompt_set_callback"));
  runtime.code = object_around(address);
  runtime.own_code = object_around(reinterpret_cast<Address>(&learn_runtime));
  if (!runtime.code.empty()) interpose::modules::add_runtime(address);
  const char* const tasking = std::getenv("KMP_TASKING");
  runtime.tasks_at_once = tasking != nullptr && std::strcmp(tasking, "0") == 0;
}

/// LLVM's runtime measures the message of an error directive for every tool that asks for it, where there is none, too,
/// and that ends the program. Only the event log needs to know of it.
bool harms(ompt_callbacks_t event, const tool::Options& options) {
  return event == ompt_callback_error && options.log_events.empty();
}

void register_callbacks(ompt_set_callback_t set, const tool::Options& options) {
  for (const auto family :
       {thread_callbacks(), parallel_callbacks(), task_callbacks(), dependence_callbacks(), sync_callbacks(),
        mutex_callbacks(), work_callbacks(), directive_callbacks(), control_callbacks(), device_callbacks()})
    for (const Callback& callback : family) {
      if (harms(callback.event, options)) continue;
      const ompt_set_result_t result = set(callback.event, callback.function);
      if (options.verbose) tool::say(std::string("callback ") + callback.name + ": " + result_name(result));
    }
}

int initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  const tool::InsideTool inside;
  tool::Session* const session = tool::session();
  const auto set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  if (session == nullptr || set == nullptr) return 0;
  listener = &session->listener();
  const bool annotates = session->level() == tool::Level::tsan;
  learn_runtime(lookup, session->checks_accesses() || annotates || !session->options().log_events.empty());
  runtime.changes_functions = annotate::changes_functions.load(std::memory_order_relaxed);
  register_callbacks(set, session->options());
  open_leagues();
  runtime_has_its_pools();
  if (session->level() == tool::Level::graph) runtime.calls = interpose::Calls::order;
  if (session->taken_over()) runtime.calls = interpose::Calls::all;
  interpose::stand_before_runtime(runtime.calls);
  interpose::locks::look_up();
  session->runtime_started = true;
  return 1;
}

void finalize(ompt_data_t*) {
  tool::deliver(tool::Occasion::finalize);
  const tool::Session* const session = tool::session();
  if (session == nullptr || (!session->taken_over() && session->level() != tool::Level::tsan)) return;
  const tool::InsideTool inside;
  annotate::end_order();
  annotate::destroy_unused_fibers();
  tool::end_watcher();
}

} // namespace

} // namespace fletcher::ompt

extern "C" [[gnu::visibility("default")]] ompt_start_tool_result_t* ompt_start_tool(unsigned omp_version,
                                                                                    const char* runtime_version) {
  using namespace fletcher;
  tool::Session* const session = tool::start(false);
  if (session == nullptr) {
    if (tool::options_of_environment().verbose) tool::say("disabled (enabled=0): the program runs unchecked");
    return nullptr;
  }
  if (omp_version < ompt::oldest_version) {
    if (session->options().verbose)
      tool::say("the OpenMP runtime is too old (version " + std::to_string(omp_version) + "): not checking it");
    return nullptr;
  }
  if (session->options().verbose)
    tool::say(std::string("OpenMP runtime: ") + (runtime_version == nullptr ? "?" : runtime_version));
  if (session->level() != tool::Level::graph) ompt::make_room_for_leagues(session->options().teams);
  ompt::enlarge_runtime_pools();
  static ompt_start_tool_result_t result{ompt::initialize, ompt::finalize, {}};
  return &result;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/effects/binding_calls.hpp"

#include "checker/memory/spin_lock.hpp"
#include "lib/interpose/binding/late_binding.hpp"
#include "lib/interpose/binding/modules.hpp"
#include "lib/interpose/binding/references.hpp"
#include "lib/interpose/binding/slots.hpp"
#include "lib/interpose/effects/bound_calls.hpp"
#include "lib/interpose/effects/known_functions.hpp"
#include "lib/interpose/effects/library_accesses.hpp"
#include "lib/interpose/real.hpp"
#include "lib/tool/advice.hpp"
#include "lib/tool/session.hpp"
#include "lib/tool/thread.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fletcher::interpose {

namespace {

constinit memory::SpinLock one_at_a_time{};
constinit unsigned long long loads_seen = 0;

struct Slot {
  std::string module; ///< its file; empty: the program
  Address module_base;
  void** slot;
  void* bound; ///< the function, where the linker has filled it in
  std::string symbol;
  std::optional<effects::Known> known; ///< nothing: no table has it, and advice asks about it
};

enum class Whose { instrumented, all };

struct Search {
  Whose whose;
  bool all_modules; ///< also those that were looked at before
  std::vector<Slot> slots{};
  bool first = true;
};

bool is_program(const dl_phdr_info& module) noexcept {
  return module.dlpi_name == nullptr || *module.dlpi_name == '\0';
}

/// It calls a runtime of OpenMP and is no library of those that the table is about.
bool uses_openmp(const dl_phdr_info& module) {
  // Most modules do not, and whether a name is in a table takes far longer to say.
  const bool does =
      any_undefined(module, [](const char* name) { return begins(name, "__kmpc_") || begins(name, "GOMP_"); });
  const char* last = nullptr; // of libraries of C++ templates: dozens of references to each symbol, in a row
  return does && !any_reference(module, [&](const Reference& reference) {
           return reference.defined && std::exchange(last, reference.text) != reference.text &&
                  find_known(reference.name());
         });
}

/// What was said of each module as long as none has been unloaded. In what is called by dl_iterate_phdr, which is one
/// thread at a time.
bool is_users(const dl_phdr_info& module, std::size_t size) {
  static auto* const known = new std::map<Address, bool>;
  static unsigned long long unloaded = 0;
  if (is_program(module)) return true;
  if (size < offsetof(dl_phdr_info, dlpi_tls_modid)) return uses_openmp(module);
  if (std::exchange(unloaded, module.dlpi_subs) != module.dlpi_subs) known->clear();
  const auto [at, is_new] = known->try_emplace(module.dlpi_addr);
  if (is_new) at->second = uses_openmp(module);
  return at->second;
}

int look_for_mpi(dl_phdr_info* module, std::size_t size, void*) {
  return is_users(*module, size) &&
         any_undefined(*module, [](const char* name) { return begins(name, "MPI_") || begins(name, "mpi_"); });
}

int collect(dl_phdr_info* module, std::size_t size, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (std::exchange(search.first, false) && size >= offsetof(dl_phdr_info, dlpi_subs) && !search.all_modules) {
    if (loads_seen == module->dlpi_adds) return 1;
    loads_seen = module->dlpi_adds;
  }
  const bool counts =
      search.whose == Whose::instrumented ? modules::is_instrumented(slots::code_of(*module)) : is_users(*module, size);
  if (!counts) return 0;
  any_reference(*module, [&](const Reference& reference) {
    if (reference.slot == nullptr || reference.defined) return false;
    const auto known = find_known(reference.name());
    if (!known && (search.whose == Whose::all || !tool::advice::is_recording())) return false;
    void* const now = slots::load(reference.slot);
    if (bound_calls::is_stub(now)) return false;
    // A function's address, or as long as it has not been called, the module's own code that looks it up.
    search.slots.push_back({is_program(*module) ? std::string() : module->dlpi_name, module->dlpi_addr, reference.slot,
                            slots::is_in(*module, PT_LOAD, now) ? nullptr : now, std::string(reference.text), known});
    return false;
  });
  return 0;
}

void* look_up(const Slot& slot) noexcept {
  if (void* const found = dlsym(RTLD_DEFAULT, slot.symbol.c_str())) return found;
  void* const library = slot.module.empty() ? nullptr : dlopen(slot.module.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* const found = dlsym(library, slot.symbol.c_str());
  dlclose(library);
  return found;
}

/// The name of a library whose integers have 64 bits, where those of its functions do not say so.
bool has_wide_integers(const void* function) noexcept {
  Dl_info info{};
  if (dladdr(function, &info) == 0 || info.dli_fname == nullptr) return false;
  const std::string_view file(info.dli_fname);
  const std::string_view name = file.substr(file.rfind('/') + 1);
  return name.find("ilp64") != name.npos || name.starts_with("libopenblas64") || name.starts_with("libblas64") ||
         name.starts_with("liblapack64");
}

/// Code of the program's may call it, too, on its way.
bool is_of_libc(const effects::Known& known) noexcept {
  return known.form.convention == effects::Convention::c && known.function->role == effects::Role::computes;
}

/// Null: nothing is to be said of it, or there is no stub left.
void* stub_of_unknown(std::string_view symbol, void* function) {
  const Unseen unseen = function == nullptr ? Unseen::nothing : unseen_of(symbol, reinterpret_cast<Address>(function));
  return unseen == Unseen::nothing ? nullptr : bound_calls::stub({}, symbol, function, unseen);
}
void* stub_of_known(const effects::Known& known, std::string_view symbol, void* function) {
  const auto signature = effects::Signature::of(known);
  return signature ? bound_calls::stub(*signature, symbol, function) : nullptr;
}

void bind(Slot& slot) {
  void* const function = slot.bound != nullptr ? slot.bound : look_up(slot);
  if (!slot.known) {
    if (void* const stub = stub_of_unknown(slot.symbol, function)) slots::replace(slot.module_base, slot.slot, stub);
    return;
  }
  // What is instrumented reports its accesses by itself.
  if (function == nullptr || is_own(function) || modules::is_instrumented(reinterpret_cast<Address>(function))) return;
  if (has_wide_integers(function)) slot.known->form.wide = true;
  void* const stub = stub_of_known(*slot.known, slot.symbol, function);
  if (stub == nullptr) return;
  slots::replace(slot.module_base, slot.slot, stub);
  if (!is_of_libc(*slot.known)) modules::add_library(reinterpret_cast<Address>(function));
}

/// What such a library calls, as LAPACK calls BLAS.
void note_libraries_behind() noexcept {
  for (const char* function : {"dgemm_", "dgetrf_", "cblas_dgemm"})
    if (void* const found = dlsym(RTLD_DEFAULT, function); found != nullptr && !is_own(found))
      modules::add_library(reinterpret_cast<Address>(found));
}

void bind_calls(Whose whose) noexcept {
  const tool::InsideTool inside;
  const memory::SpinGuard guard(one_at_a_time);
  const LookingUp here;
  Search search{whose, false};
  dl_iterate_phdr(collect, &search);
  for (Slot& slot : search.slots) bind(slot); // not while the loader's list is locked
  if (!search.slots.empty()) note_libraries_behind();
}

} // namespace

void* led_past_its_effects(std::string_view symbol, void* function) {
  void* stub = nullptr;
  if (const auto known = find_known(symbol))
    stub = stub_of_known(*known, symbol, function);
  else if (tool::options_of_environment().advise)
    stub = stub_of_unknown(symbol, function);
  return stub != nullptr ? stub : function;
}

void bind_calls_of_instrumented() noexcept { bind_calls(Whose::instrumented); }

bool sees_library_calls() noexcept {
  if (is_behind_program()) return false; // the program's calls of malloc go past it
  const tool::InsideTool inside;
  if (dl_iterate_phdr(look_for_mpi, nullptr) != 0) return true; // lib/interpose/mpi has those wrappers
  Search search{Whose::all, true};
  dl_iterate_phdr(collect, &search);
  return std::ranges::any_of(search.slots, [](const Slot& slot) { return slot.known && !is_of_libc(*slot.known); });
}

void bind_calls_of_all() noexcept {
  library_accesses::count_all();
  bind_calls(Whose::all);
}

} // namespace fletcher::interpose

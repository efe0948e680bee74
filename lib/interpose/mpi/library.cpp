// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/library.hpp"

#include "lib/interpose/real.hpp"
#include "lib/tool/log.hpp"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <cstdlib>
#include <new>
#include <string_view>

namespace fletcher::interpose::mpi {

namespace {

struct Search {
  const char* name;
  void* found;
};

/// A library that was loaded for itself alone, as Python's extension modules are.
int look_into(dl_phdr_info* module, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (module->dlpi_name == nullptr || *module->dlpi_name == '\0') return 0;
  void* const library = dlopen(module->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return 0;
  void* const found = dlsym(library, search.name);
  dlclose(library);
  if (found == nullptr || is_own(found)) return 0;
  search.found = found;
  return 1;
}

/// A variable of the library's, of which the program may have the only copy that is used.
Handle variable(const char* name) noexcept {
  void* const found = dlsym(RTLD_DEFAULT, name);
  return reinterpret_cast<Handle>(found != nullptr ? found : find(name));
}

const Abi* recognise() noexcept {
  using namespace std::string_view_literals;
  static Function<int(char*, int*)> version_of{"PMPI_Get_library_version"};
  static std::array<std::byte, sizeof(Abi)> place;
  if (!version_of.exists()) return nullptr;
  constexpr std::size_t most = 8192; // MPI_MAX_LIBRARY_VERSION_STRING of either
  static std::array<char, most + 1> text;
  int length = 0;
  if (version_of(text.data(), &length) != success) return nullptr;
  const std::string_view version(text.data());
  if (version.find("Open MPI"sv) != version.npos) {
    const Handle world = variable("ompi_mpi_comm_world"), self = variable("ompi_mpi_comm_self"),
                 no_communicator = variable("ompi_mpi_comm_null"), no_request = variable("ompi_request_null"),
                 no_datatype = variable("ompi_mpi_datatype_null");
    if (world == 0 || no_communicator == 0 || no_request == 0 || no_datatype == 0) return nullptr;
    return new (place.data()) Abi(Abi::Kind::open_mpi, world, self, no_communicator, no_request, no_datatype);
  }
  for (const auto name : {"MPICH"sv, "Intel(R) MPI"sv, "MVAPICH"sv})
    if (version.find(name) != version.npos)
      return new (place.data()) Abi(Abi::Kind::mpich, 0x44000000, 0x44000001, 0x04000000, 0x2c000000, 0x0c000000);
  return nullptr;
}

} // namespace

void* find(const char* name) noexcept {
  if (void* const next = next_definition(name)) return next;
  const LookingUp here;
  Search search{name, nullptr};
  dl_iterate_phdr(look_into, &search);
  return search.found;
}

void detail::missing(const char* name) noexcept {
  tool::say(std::string("the program calls ") + name + ", which no library of the process defines");
  std::abort();
}

const Abi* abi() noexcept {
  static const Abi* const the = recognise();
  return the;
}

Combiner Abi::combiner(int number) const noexcept {
  using enum Combiner;
  // In the order of the headers' constants, of which Open MPI's begin with 0 and MPICH's with 1.
  static constexpr std::array open_mpi{named, dup,      contiguous,    vector,  other,         hvector,  indexed,
                                       other, hindexed, indexed_block, other,   structure,     subarray, other,
                                       other, other,    other,         resized, hindexed_block};
  const int index = kind_ == Kind::mpich ? number - 1 : number;
  return index >= 0 && index < static_cast<int>(open_mpi.size()) ? open_mpi[static_cast<std::size_t>(index)] : other;
}

} // namespace fletcher::interpose::mpi

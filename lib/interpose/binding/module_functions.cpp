// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/binding/module_functions.hpp"

#include "lib/interpose/binding/dynamic_symbols.hpp"

#include <link.h>
#include <unistd.h>

namespace fletcher::interpose {

namespace {

struct Search {
  Address code;
  Module found;
};

int read_module(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  Module& module = search.found;
  const auto page = static_cast<Address>(sysconf(_SC_PAGESIZE));
  for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    const Address begin = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0 || search.code - begin >= segment.p_memsz) continue;
    module.executable = info->dlpi_name == nullptr || *info->dlpi_name == '\0';
    module.code_begin = begin & ~(page - 1);
    module.code_end = (begin + segment.p_memsz + page - 1) & ~(page - 1);
    any_definition(*info, [&](const Definition& one) {
      if (one.is_function) module.functions.emplace(one.name, Extent{one.at, one.size});
      return false;
    });
    return 1;
  }
  return 0;
}

} // namespace

Module module_around(Address code) {
  Search search{code, {}};
  dl_iterate_phdr(read_module, &search);
  return search.found;
}

} // namespace fletcher::interpose

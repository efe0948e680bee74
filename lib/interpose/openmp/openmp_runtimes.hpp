// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loaded files are OpenMP runtimes, by their names.
#pragma once

#include <link.h>

#include <string_view>

namespace fletcher::interpose {

/// Without folders; empty for the program itself.
inline std::string_view file_name(const dl_phdr_info& module) noexcept {
  const std::string_view path = module.dlpi_name == nullptr ? "" : module.dlpi_name;
  return path.substr(path.rfind('/') + 1);
}

/// Packages of Python bring copies with a number in the name: libgomp-1d2c3b4a.so.1.
inline bool is_libgomp(std::string_view file) noexcept {
  return file.starts_with("libgomp.so") || (file.starts_with("libgomp-") && !file.starts_with("libgomp-plugin"));
}

/// LLVM's runtime, also by Intel's name.
inline bool is_llvm_runtime(std::string_view file) noexcept {
  return file.starts_with("libomp.so") || file.starts_with("libomp-") || file.starts_with("libiomp");
}

} // namespace fletcher::interpose

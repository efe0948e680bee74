# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# LLVM's libraries for the programs that read debug information: its static ones where they can be linked, so that a program has what it
# needs (10 MB of memory), else the shared one of all of LLVM (57 MB). Sets LLVM_FOUND and LLVM_IS_STATIC.
find_package(LLVM ${FLETCHER_LLVM_VERSION}.1 QUIET CONFIG HINTS /usr/lib/llvm-${FLETCHER_LLVM_VERSION}/lib/cmake/llvm)
# Debian's static libraries name zstd's as a target, but do not bring the package that defines it.
if(LLVM_FOUND AND NOT TARGET zstd::libzstd_shared)
  find_library(FLETCHER_ZSTD NAMES zstd libzstd.so.1 DOC "The library of zstd, by which debug information may be compressed")
  if(FLETCHER_ZSTD)
    add_library(zstd::libzstd_shared SHARED IMPORTED)
    set_target_properties(zstd::libzstd_shared PROPERTIES IMPORTED_LOCATION ${FLETCHER_ZSTD})
  endif()
endif()
set(LLVM_IS_STATIC FALSE)
if(LLVM_FOUND AND TARGET LLVMSymbolize AND TARGET zstd::libzstd_shared AND TARGET ZLIB::ZLIB)
  set(LLVM_IS_STATIC TRUE)
endif()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Which way branches mostly go in what checked programs call, as measured by train.py: for clang, to which the file
# belongs. A function that was changed since, or a clang of another version, does without. Relies on llvm-profdata.
set(FLETCHER_PROFILE use CACHE STRING "Profile of the runtime's functions: 'use' what was measured, 'record' one, or 'none'")
set_property(CACHE FLETCHER_PROFILE PROPERTY STRINGS use record none)

set(profile_text ${CMAKE_CURRENT_LIST_DIR}/fletcher.proftext)
# Local functions are known by their file's name, wherever the project is.
set(profile_names "SHELL:-mllvm -static-func-full-module-prefix=false")
add_library(fletcher_profile INTERFACE)
if(FLETCHER_PROFILE STREQUAL none OR FLETCHER_SANITIZE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  return()
elseif(FLETCHER_PROFILE STREQUAL record)
  target_compile_options(fletcher_profile INTERFACE $<BUILD_INTERFACE:-fprofile-generate> $<BUILD_INTERFACE:${profile_names}>)
  target_link_options(fletcher_profile INTERFACE $<BUILD_INTERFACE:-fprofile-generate>)
elseif(FLETCHER_PROFILE STREQUAL use)
  find_program(FLETCHER_PROFDATA NAMES llvm-profdata-${FLETCHER_LLVM_VERSION} llvm-profdata DOC "What makes a profile readable to clang")
  if(NOT FLETCHER_PROFDATA)
    message(STATUS "llvm-profdata was not found: built without the profile, so that checking takes some per cent longer")
    return()
  endif()
  # Its hash is part of the name, so that another profile has everything compiled anew.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${profile_text})
  file(MD5 ${profile_text} profile_hash)
  set(profile ${CMAKE_CURRENT_BINARY_DIR}/${profile_hash}.profdata)
  if(NOT EXISTS ${profile})
    execute_process(COMMAND ${FLETCHER_PROFDATA} merge -o ${profile} ${profile_text} COMMAND_ERROR_IS_FATAL ANY)
  endif()
  if(CMAKE_GENERATOR MATCHES Ninja)
    # Compilers run in the build folder: so named, ccache finds in one checkout what was compiled in another.
    file(RELATIVE_PATH profile ${CMAKE_BINARY_DIR} ${profile})
  endif()
  target_compile_options(fletcher_profile INTERFACE
    $<BUILD_INTERFACE:-fprofile-use=${profile}> $<BUILD_INTERFACE:${profile_names}> $<BUILD_INTERFACE:-Wno-backend-plugin>)
else()
  message(FATAL_ERROR "FLETCHER_PROFILE is '${FLETCHER_PROFILE}': use, record or none")
endif()

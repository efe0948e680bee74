# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes one relocatable object of the library, C++'s runtime included, and hides all but what the shared library shows.
execute_process(COMMAND ${COMPILER} -print-file-name=libstdc++.a OUTPUT_VARIABLE stdcxx OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${COMPILER} -print-file-name=libgcc_eh.a OUTPUT_VARIABLE gcc_eh OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${COMPILER} -print-libgcc-file-name OUTPUT_VARIABLE gcc OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(
  COMMAND ${LINKER} -r --force-group-allocation -o ${OUTPUT} ${OBJECTS} --start-group ${ARCHIVES} ${stdcxx} ${gcc_eh} ${gcc}
          --end-group
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "cannot combine the objects of the static library")
endif()
# Hidden symbols become local; so do all C++ names that the shared library does not show.
file(READ ${EXPORTS} exports)
string(REGEX MATCHALL "_Z[A-Za-z0-9_]+;" shown "${exports}")
execute_process(COMMAND ${OBJCOPY} --localize-hidden ${OUTPUT} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "cannot hide the symbols of the static library")
endif()
execute_process(COMMAND nm --defined-only --extern-only --format=posix ${OUTPUT} OUTPUT_VARIABLE symbols)
string(REGEX MATCHALL "(^|\n)_Z[^ \n]+" names "${symbols}")
set(hide "")
foreach(name IN LISTS names)
  string(STRIP "${name}" name)
  if(NOT "${name};" IN_LIST shown AND NOT "${shown}" MATCHES "(^|;)${name};")
    string(APPEND hide "${name}\n")
  endif()
endforeach()
file(WRITE ${OUTPUT}.hide "${hide}")
execute_process(COMMAND ${OBJCOPY} --localize-symbols=${OUTPUT}.hide ${OUTPUT} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "cannot hide the C++ symbols of the static library")
endif()

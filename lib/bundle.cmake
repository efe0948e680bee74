# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes one relocatable object of the library, C++'s runtime included, in which only what the shared library shows is visible.
cmake_minimum_required(VERSION 3.25)

list(GET BINUTILS 0 LINKER)
list(GET BINUTILS 1 OBJCOPY)
list(GET BINUTILS 2 NM)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE failed OUTPUT_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "libfletcher.a: '${ARGV0}' failed")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# What is visible: of our own objects all that is not hidden, of C++ names what the export list names.
run(${LINKER} -r -o ${OUTPUT}.own ${OBJECTS})
run(${OBJCOPY} --localize-hidden ${OUTPUT}.own)
run(${NM} --defined-only --extern-only --format=posix ${OUTPUT}.own)
string(REGEX REPLACE " [^\n]*" "" visible "${output}")
string(REGEX REPLACE "\n" ";" visible "${visible}")
list(FILTER visible EXCLUDE REGEX "^_Z")
file(READ ${EXPORTS} exports)
string(REGEX MATCHALL "_Z[A-Za-z0-9_]+" shown "${exports}")
list(APPEND visible ${shown})
list(JOIN visible "\n" lines)
file(WRITE ${OUTPUT}.visible "${lines}\n")

# What libc has, too: a program may have a function of its own by such a name, which then comes first, as it does where the library is
# a shared one.
set(of_libc ${visible})
list(FILTER of_libc EXCLUDE REGEX "^(_Z|__tsan_|(WTF)?Annotate|RunningOnValgrind|Valgrind|__cxa_|_*fletcher_|__kmpc_|kmp_|GOMP_|omp)")
list(JOIN of_libc "\n" lines)
file(WRITE ${OUTPUT}.weak "${lines}\n")

foreach(archive IN ITEMS libstdc++.a libgcc_eh.a libgcc.a)
  run(${COMPILER} -print-file-name=${archive})
  string(STRIP "${output}" path)
  list(APPEND ARCHIVES ${path})
endforeach()
run(${LINKER} -r --force-group-allocation -o ${OUTPUT} ${OBJECTS} --start-group ${ARCHIVES} --end-group)
# What clang notes about symbols by their numbers is void once they have other numbers, and lld refuses it.
run(${OBJCOPY} --remove-section=.llvm* --keep-global-symbols=${OUTPUT}.visible --weaken-symbols=${OUTPUT}.weak ${OUTPUT})

# Unique symbols (the identities of the standard library's facets) stay global and would be one with the program's, which has
# another copy of the library: they get names of their own.
run(${NM} --defined-only --format=posix ${OUTPUT})
string(REGEX MATCHALL "[^ \n]+ u " unique "${output}")
list(TRANSFORM unique REPLACE " u $" "")
list(REMOVE_DUPLICATES unique)
set(renamed "")
foreach(name IN LISTS unique)
  string(APPEND renamed "${name} fletcher.${name}\n")
endforeach()
file(WRITE ${OUTPUT}.renamed "${renamed}")
run(${OBJCOPY} --redefine-syms=${OUTPUT}.renamed ${OUTPUT})
file(REMOVE ${OUTPUT}.own)

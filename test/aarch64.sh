#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles for AArch64 what of checker/ looks at addresses and cells: nothing there relies on x86-64 but the parts for it. $1 is g++ for AArch64, or clang++,
# $2 the project's folder. Where the system has no headers for AArch64 the host's stand in for them, which is enough to
# compile, not to link. Ends with 77 (skipped) where there is no such compiler.
cd "$2" || exit 1
headers=$(mktemp -d)
trap 'rm -rf "$headers"' EXIT
compiler=("$1" -std=c++20 -fsyntax-only -I.)
case $1 in
*aarch64*) ;;
*clang*)
  compiler+=(--target=aarch64-linux-gnu)
  if ! echo '#include <vector>' | "${compiler[@]}" -x c++ - 2>/dev/null; then
    # What differs between the two systems as far as types go.
    mkdir "$headers/bits" "$headers/gnu"
    : >"$headers/gnu/stubs.h"
    printf '#define __WORDSIZE 64\n#define __SYSCALL_WORDSIZE 64\n' >"$headers/bits/wordsize.h"
    compiler+=(-nostdinc++ -isystem "$headers")
    mapfile -t folders < <("$1" -v -x c++ -fsyntax-only /dev/null 2>&1 | sed -n '/^#include <...>/,/^End/s/^ \//\//p')
    for folder in "${folders[@]}"; do
      case $folder in
      */lib/clang/*) ;; # the compiler's own
      *) compiler+=(-isystem "$folder") ;;
      esac
    done
    if ! echo '#include <vector>' | "${compiler[@]}" -x c++ - 2>/dev/null; then
      echo "skipped: no C++ headers that $1 can read for AArch64"
      exit 77
    fi
  fi
  ;;
*)
  echo "skipped: no compiler for AArch64 (aarch64-linux-gnu-g++ or clang++)"
  exit 77
  ;;
esac
find checker/access checker/memory checker/order checker/checker.cpp -name '*.cpp' -print0 | xargs -0 -P "$(nproc)" -n 1 "${compiler[@]}"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# examples_sarif.sh BIN VALIDATE TOOL: builds every example with the drivers in BIN, runs it with a SARIF report, and has
# VALIDATE (test/reports/validate_sarif.sh) look at all the reports with TOOL. Run in a folder of its own.
bin=$1 validate=$2 tool=$3
examples=$(cd "$(dirname "$0")" && pwd)/examples
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for source in "$examples"/*/*; do
  name=$(basename "$source")
  case $name in
  *.c) driver=fletcher-cc ;;
  *.cpp) driver=fletcher-c++ ;;
  *.f90) driver=fletcher-fc ;;
  *) continue ;;
  esac
  (cd "$work" && "$bin/$driver" -O1 -g -fopenmp "$source" -o "$name.exe" -lm) || exit 1
  (cd "$work" && FLETCHER_OPTIONS="sarif=$work/$name.sarif" OMP_NUM_THREADS=2 "./$name.exe" > /dev/null 2>&1)
  if [ ! -s "$work/$name.sarif" ]; then
    echo "no SARIF report of $name" >&2
    exit 1
  fi
done
"$validate" "$tool" "$work"/*.sarif

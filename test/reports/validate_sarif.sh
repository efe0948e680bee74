#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# validate_sarif.sh TOOL FILE...: succeeds if Microsoft's SARIF validator (npm package @microsoft/sarif-multitool, TOOL is its
# launcher sarif-multitool) has nothing to say, neither error nor warning, with the rules of SARIF and of GitHub code scanning.
tool=$1
shift
count=$#
# The launcher passes its arguments through a shell once more: hence the inner quotes.
for file in "$@"; do
  shift
  set -- "$@" "\"$file\""
done
# The validator brings .NET along but not the library for languages.
export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1
report=$(mktemp) || exit 1
trap 'rm -f "$report" "$report.out"' EXIT
# All files in one run: its start takes longer than a file.
"$tool" validate "$@" --rule-kind '"Sarif;Ghas"' --level '"Error;Warning"' \
  --log '"ForceOverwrite;PrettyPrint"' --output "\"$report\"" > "$report.out" 2>&1
grep -q '"results": \[\]' "$report" && grep -q "^Done\. $count files scanned" "$report.out" &&
  ! grep -qE '(error|warning) [A-Z]+[0-9]+' "$report.out" && exit
echo "of these, not all pass: $*" >&2
cat "$report.out" >&2
exit 1

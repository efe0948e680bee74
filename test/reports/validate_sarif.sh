#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# validate_sarif.sh TOOL FILE...: succeeds if Microsoft's SARIF validator (npm package @microsoft/sarif-multitool, TOOL is its
# launcher sarif-multitool) has nothing to say, neither error nor warning, with the rules of SARIF and of GitHub code scanning.
tool=$1
shift
# The validator brings .NET along but not the library for languages.
export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1
found=0
for file in "$@"; do
  report=$(mktemp)
  # The launcher passes its arguments through a shell once more: hence the inner quotes.
  "$tool" validate "\"$file\"" --rule-kind '"Sarif;Ghas"' --level '"Error;Warning"' \
    --log '"ForceOverwrite;PrettyPrint"' --output "\"$report\"" > "$report.out" 2>&1
  if ! grep -q '"results": \[\]' "$report" || grep -E '(error|warning) [A-Z]+[0-9]+' "$report.out"; then
    echo "$file does not pass:" >&2
    cat "$report.out" >&2
    found=1
  fi
  rm -f "$report" "$report.out"
done
exit $found

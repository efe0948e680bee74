#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fails where a source is not as clang-format would have it, or does not begin with its licence. Relies on the style in
# .clang-format; $1 is the clang-format to use, $2 the project's folder.
cd "$2" || exit 1
mapfile -t sources < <(find checker lib include reports tools test -name '*.?pp' -o -name '*.[ch]' | sort)
[ ${#sources[@]} -gt 0 ] || { echo "no sources found"; exit 1; }
problems=0
for file in "${sources[@]}"; do
  head -n 1 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception' || { echo "$file: no SPDX line"; problems=1; }
done
"$1" --dry-run --Werror "${sources[@]}" || problems=1
exit $problems

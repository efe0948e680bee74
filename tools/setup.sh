# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What tools/demo and tools/test share: installing what is missing, configuring and building. Sourced by them, in the folder of the
# project. Relies on apt only where a package is missing.

build=build/release

say() { printf '\n== %s\n' "$*"; }
fail() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# What the build and the programs need, as Debian 12 names it.
packages=(cmake ninja-build g++ gfortran clang-19 libomp-19-dev libclang-rt-19-dev llvm-19 llvm-19-dev
          libboost-graph-dev nlohmann-json3-dev libcli11-dev libgtest-dev libgmock-dev libbenchmark-dev libxml2-utils
          zlib1g-dev)

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else fail "packages are missing and neither root nor sudo is there to install them: $*"
  fi
}

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

install_packages() {
  command -v dpkg-query >/dev/null || { say "no dpkg here: taking for granted that these are installed: $*"; return; }
  local package missing=()
  for package in "$@"; do is_installed "$package" || missing+=("$package"); done
  [ ${#missing[@]} -eq 0 ] && return
  say "installing ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq || true # the lists that are there may do
  local removed
  removed=$(apt-get install --simulate --no-install-recommends "${missing[@]}" 2>/dev/null | awk '$1 == "Remv" { print $2 }' | paste -sd ' ')
  [ -z "$removed" ] || say "this replaces $removed: Debian has one version of these at a time"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" ||
    fail "these packages could not be installed: ${missing[*]}"
}

# configure [CMAKE OPTIONS...]; uses ccache where it is installed.
configure() {
  local launcher=()
  command -v ccache >/dev/null && launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  say "configuring in $build"
  cmake --preset "${build##*/}" "${launcher[@]}" "$@" || fail "cannot configure"
}

# build_targets [TARGET...]; all without one.
build_targets() {
  say "building in $build"
  cmake --build "$build" --parallel "$(nproc)" ${1:+--target "$@"} || fail "cannot build"
}

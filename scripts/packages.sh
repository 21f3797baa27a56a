# SPDX-License-Identifier: Apache-2.0
# Sourced by ./test and ./demo. Lists the packages that they need on Debian 12, and installs them.
# shellcheck shell=bash

packages_demo=(cmake ninja-build g++ libboost-context-dev libfmt-dev libcli11-dev nlohmann-json3-dev python3)
packages_test=("${packages_demo[@]}" libgtest-dev librapidcheck-dev ccache clang libclang-rt-dev clang-format clang-tidy)
packages_web=(cmake ninja-build emscripten libfmt-dev libcli11-dev nlohmann-json3-dev python3)
packages_docs=("${packages_demo[@]}" mkdocs doxygen python3-venv python3-yaml chromium chromium-driver python3-selenium)
packages_web_test=("${packages_web[@]}" "${packages_demo[@]}" chromium chromium-driver python3-selenium)

# need_packages NAME...: as root, installs the missing packages; otherwise lists them and ends the script.
need_packages() {
  command -v dpkg-query >/dev/null || return 0 # not Debian: CMake says what it does not find
  local missing=() package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if [[ $(id -u) -ne 0 ]]; then
    echo "These packages are missing; install them and run this again:" >&2
    echo "  sudo apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  echo "installing ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } \
    </dev/null >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "apt-get could not install ${missing[*]}" >&2
    exit 1
  fi
  rm -f "$log"
}

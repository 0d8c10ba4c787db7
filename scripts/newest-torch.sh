#!/bin/sh
# Prints the Python of a virtual environment with the newest PyTorch. Makes it unless it is there and good.
set -eu
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

venv=$(cache_dir)/newest
if [ -x "$venv/bin/python" ] && has_torch "$venv/bin/python"; then
    printf '%s\n' "$venv/bin/python"
    exit
fi

# can_make_venv PYTHON: new enough for the newest PyTorch, and with the parts that a new environment needs.
can_make_venv() {
    (cd / && "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))') >/dev/null 2>&1
}

find_python() {
    for python in python3 python3.13 python3.12 python3.11 python3.10 /usr/bin/python3; do
        if can_make_venv "$python"; then command -v "$python" && return; fi
    done
    return 1
}

if ! find_python >/dev/null && can_apt; then apt_install python3 python3-venv || true; fi
base=$(find_python) || fail "no Python 3.10 or newer that can make a virtual environment." \
    "Debian, Ubuntu:  sudo apt-get install python3 python3-venv"

say "installing the newest PyTorch into $venv (some minutes and some GB the first time)"
mkdir -p "$(dirname "$venv")"
"$base" -m venv --clear "$venv" >&2
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check torch numpy </dev/null >&2 ||
    fail "pip could not install torch." "Look at pip's message above, then run this again."
has_torch "$venv/bin/python" || fail "PyTorch was installed into $venv and does not import." \
    "Run $venv/bin/python -c 'import torch' to see why."
printf '%s\n' "$venv/bin/python"

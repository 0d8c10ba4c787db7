#!/bin/sh
# Prints a Python 3.14 with the PyTorch that newest-torch.sh has. Makes it unless it is there and good: from the machine's own
# python3.14, else from that of Debian testing, unpacked with the C library that it needs into a folder of its own.
set -eu
here=$(dirname "$0")
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"

home=$(cache_dir)/python3.14
venv=$home/venv
if [ -x "$venv/bin/python" ] && has_torch "$venv/bin/python"; then
    printf '%s\n' "$venv/bin/python"
    exit
fi

# unpack FOLDER puts Debian testing's python3.14 there, with all that it needs to run here.
unpack() {
    if ! { have mmdebstrap && have patchelf; } && can_apt; then apt_install mmdebstrap patchelf || true; fi
    { have mmdebstrap && have patchelf; } || fail "no python3.14 here, and no mmdebstrap and patchelf to unpack Debian's." \
        "Debian, Ubuntu:  sudo apt-get install mmdebstrap patchelf"
    # A mirror may stand still for longer than its lists are said to be good.
    mmdebstrap --quiet --variant=extract --aptopt='Acquire::Check-Valid-Until "false"' \
        --include=python3.14-minimal,libpython3.14-stdlib testing "$1" >&2 ||
        fail "Debian testing's python3.14 could not be had." "mmdebstrap's messages above say why."
    # Left as it is, it would be loaded with the machine's C library, which is older than it asks for.
    program=$1/usr/bin/python3.14
    set -- "$1" "$1"/usr/lib/*/libc.so.6
    patchelf --set-interpreter "$1/usr$(patchelf --print-interpreter "$program")" \
        --force-rpath --set-rpath "$(dirname "$2")" "$program" || fail "patchelf could not change $program."
}

# needs prints what PyTorch asks for, without CUDA's libraries and compilers: they are the same for every Python.
needs() {
    "$1" -c '
import importlib.metadata, re
for line in importlib.metadata.requires("torch"):
    if not re.search("^nvidia|^cuda|^triton|extra ==", line):
        print(line.split(";")[0])'
}

packages() { "$1" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }

newest=$("$here/newest-torch.sh")
say "making $home: Python 3.14 with torch $(torch_version "$newest") (a minute and 1.5 GB the first time)"
rm -rf "$home"
mkdir -p "$home"
cd "$home"
if ! base=$(command -v python3.14); then
    unpack "$home/debian"
    base=$home/debian/usr/bin/python3.14
fi
"$base" -m venv --without-pip "$venv" >&2 || # Debian's has no pip
    fail "$base does not run, or makes no virtual environment." "Debian, Ubuntu:  sudo apt-get install python3.14-venv"
into=$(packages "$venv/bin/python")
pip() { "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir "$@" </dev/null >&2; }
{
    "$newest" -m pip install --quiet --disable-pip-version-check --target "$into" pip </dev/null >&2 &&
        pip --no-deps "torch==$(torch_version "$newest" | sed 's/+.*//')" &&
        needs "$venv/bin/python" >needs.txt && pip --requirement needs.txt numpy
} || fail "pip could not install torch for Python 3.14." "Look at pip's message above, then run this again."
# PyTorch looks for CUDA's libraries, 3 GB, beside itself, and does not start without them.
from=$(packages "$newest")/nvidia
if [ -d "$from" ]; then ln -s "$from" "$into/nvidia"; fi
has_torch "$venv/bin/python" || fail "PyTorch was installed into $venv and does not import." \
    "Run $venv/bin/python -c 'import torch' to see why."
printf '%s\n' "$venv/bin/python"

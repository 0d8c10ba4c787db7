#!/bin/sh
# Prints the Pythons that tests use, as a colon-separated list: TORCHLEAK_PYTHON if it is set, else one
# that has PyTorch, and the newest where newest-torch.sh has made it. With --cuda only those whose PyTorch reaches a CUDA device, and none is an error.
set -eu
here=$(dirname "$0")
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"

list=${TORCHLEAK_PYTHON:-}
if [ -z "$list" ]; then
    list=$("$here/python.sh")
    newest=$(cache_dir)/newest/bin/python
    if [ "$list" != "$newest" ] && has_torch "$newest"; then list=$list:$newest; fi
fi
if [ "${1:-}" != --cuda ]; then
    printf '%s\n' "$list"
    exit
fi

reaches_cuda() {
    (cd / && "$1" -c 'import sys, torch; sys.exit(not torch.cuda.is_available())') >/dev/null 2>&1
}

found=
rest=$list:
while [ -n "$rest" ]; do
    python=${rest%%:*}
    rest=${rest#*:}
    if reaches_cuda "$python"; then found=${found:+$found:}$python; fi
done
[ -n "$found" ] || fail "no PyTorch in $list reaches a CUDA device." \
    "Name a Python that does:  TORCHLEAK_PYTHON=/path/to/python make test-gpu"
printf '%s\n' "$found"

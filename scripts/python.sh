#!/bin/sh
# Prints one Python that has PyTorch: one that is there, else Debian's, else a virtual environment.
set -eu
here=$(dirname "$0")
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"

# The first entry of TORCHLEAK_PYTHON is used as it is: who names a Python wants that one or none.
if [ -n "${TORCHLEAK_PYTHON:-}" ]; then
    python=${TORCHLEAK_PYTHON%%:*}
    has_torch "$python" || fail "TORCHLEAK_PYTHON names $python, and \`import torch\` fails there." \
        "Install it:  $python -m pip install torch" \
        "or unset TORCHLEAK_PYTHON to let set-up look for one."
    printf '%s\n' "$python"
    exit
fi

newest=$(cache_dir)/newest/bin/python
for python in python3 /usr/bin/python3 "$newest"; do
    if has_torch "$python"; then
        command -v "$python"
        exit
    fi
done

if can_apt; then
    say "no PyTorch found; installing Debian's python3-torch"
    if apt_install python3-torch && has_torch /usr/bin/python3; then
        printf '%s\n' /usr/bin/python3
        exit
    fi
    say "python3-torch could not be had"
fi
exec "$here/newest-torch.sh"

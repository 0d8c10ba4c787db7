# Functions the other scripts share. Sourced, never run. POSIX sh.
# shellcheck shell=sh

# say and fail write to stderr: a script's stdout is its answer.
say() { printf 'torchleak: %s\n' "$*" >&2; }

# fail ends the script; further arguments say what to do next, one a line.
fail() {
    say "$1"
    shift
    for line in "$@"; do printf '           %s\n' "$line" >&2; done
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

can_apt() { have apt-get && [ "$(id -u)" = 0 ]; }

# apt_install PACKAGE... tries the lists at hand first, and fetches new ones only if they do not do.
apt_install() {
    apt_try "$@" && return
    apt-get update -qq >&2 && apt_try "$@"
}

apt_try() {
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" </dev/null >&2
}

# has_torch PYTHON: PyTorch imports there. Run from / so that no folder here is taken for a package.
has_torch() { (cd / && "$1" -c 'import torch; torch.zeros(1)') >/dev/null 2>&1; }

torch_version() { (cd / && "$1" -c 'import torch; print(torch.__version__)'); }

cache_dir() { printf '%s\n' "${XDG_CACHE_HOME:-$HOME/.cache}/torchleak"; }

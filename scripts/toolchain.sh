#!/bin/sh
# Makes sure that Go and a C compiler are there. Installs them where apt and root are at hand.
set -eu
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

# From Go 1.21 on, go fetches the release that go.mod asks for by itself.
go_is_new_enough() {
    have go || return 1
    version=$(cd / && go env GOVERSION | sed 's/^go//')
    minor=$(printf '%s' "$version" | cut -d. -f2 | sed 's/[^0-9].*//')
    [ "${minor:-0}" -ge 21 ]
}

# cgo uses $CC if it is set, else gcc or clang.
c_compiler_is_there() {
    if [ -n "${CC:-}" ]; then have "${CC%% *}"; else have gcc || have clang; fi
}

if ! c_compiler_is_there; then
    can_apt && { say "installing a C compiler"; apt_install gcc libc6-dev || true; }
    c_compiler_is_there || fail "no C compiler. The Python parser is written in C." \
        "Debian, Ubuntu:  sudo apt-get install gcc libc6-dev" \
        "Fedora:          sudo dnf install gcc" \
        "macOS:           xcode-select --install"
fi

if ! go_is_new_enough; then
    if ! have go && can_apt; then say "installing Go"; apt_install golang-go || true; fi
    go_is_new_enough || fail "Go 1.21 or newer is needed; found $(have go && go version || echo none)." \
        "Get it from https://go.dev/dl/ and put its bin folder first on PATH."
fi

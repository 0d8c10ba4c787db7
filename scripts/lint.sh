#!/bin/sh
# Runs all checks of form, and fails at the end if one did. $1: staticcheck's module and version.
set -u
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
status=0

unformatted=$(gofmt -l bench cmd deploy internal leaks ./*.go) || status=1
if [ -n "$unformatted" ]; then
    say "not formatted; run gofmt -w on:" "$unformatted"
    status=1
fi

go vet ./... || status=1

if go mod download "${1%%/cmd/*}@${1##*@}" >/dev/null 2>&1; then
    go run "$1" ./... || status=1
else
    say "WARNING: staticcheck could not be had; it was not run"
fi

if have shellcheck; then
    shellcheck -x scripts/*.sh demo/*.sh deploy/slurm/* .ci/run || status=1
else
    say "WARNING: shellcheck is not installed (apt-get install shellcheck); it was not run"
fi
exit $status

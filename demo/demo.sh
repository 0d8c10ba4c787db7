#!/bin/sh
# Runs the demo's training under torchleak, then applies the printed patch to a copy and runs that:
# the first must leak, the second must not.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=scripts/lib.sh
. "$root/scripts/lib.sh"
python=$("$root/scripts/python.sh")
torchleak=$root/bin/torchleak
run=$root/demo/.torchleak
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-2}"

rm -rf "$run"
mkdir -p "$run"
cd "$root/demo"
say "training with torch $(torch_version "$python") of $python"
"$torchleak" run --dir "$run/leaking" --json "$run/leaking.json" --html "$run/report.html" -- "$python" train.py

say "now the same training with torchleak's patch"
mkdir "$run/patched"
cp ./*.py "$run/patched/"
"$python" -c 'import json, sys; print(json.load(sys.stdin)["findings"][0]["fix"]["diff"])' \
    <"$run/leaking.json" >"$run/fix.diff" || fail "the first finding has no patch; see $run/report.html"
(cd "$run/patched" && GIT_CEILING_DIRECTORIES=$run git apply "$run/fix.diff")
(cd "$run/patched" && "$torchleak" run --fail-on leak --dir "$run/fixed" --html "$run/fixed.html" -- "$python" train.py) ||
    fail "the patched training still leaks." "Its report is $run/fixed.html"

say "the leak is gone. The report of the leaking run: $run/report.html"

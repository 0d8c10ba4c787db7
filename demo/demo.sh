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
"$torchleak" run --dir "$run/leaking" --html "$run/report.html" -- "$python" train.py

say "now the same training with torchleak's patch"
[ -f "$run/leaking/fix-1.patch" ] || fail "the first finding has no patch; see $run/report.html"
mkdir "$run/patched"
cp ./*.py "$run/patched/"
(cd "$run/patched" && git apply ../leaking/fix-1.patch)
(cd "$run/patched" && "$torchleak" run --fail-on leak --dir "$run/fixed" --html "$run/fixed.html" -- "$python" train.py) ||
    fail "the patched training still leaks." "Its report is $run/fixed.html"

say "the leak is gone"
say "leaking run:  $run/report.html"
say "patched run:  $run/fixed.html"
say "the patch:    $run/leaking/fix-1.patch"
say "to apply it:  cd $root/demo && git apply .torchleak/leaking/fix-1.patch"

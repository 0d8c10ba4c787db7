#!/bin/sh
# Takes the picture of the report that README shows: runs the demo and photographs its page.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=scripts/lib.sh
. "$root/scripts/lib.sh"
have chromium || fail "chromium is needed for the picture." "Debian:  sudo apt-get install chromium"
python=$("$root/scripts/python.sh")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The page shows the command: it is called python there, as a reader would call it.
mkdir "$work/bin"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" >"$work/bin/python"
chmod +x "$work/bin/python"
cp "$root"/demo/*.py "$work/"
(cd "$work" && PATH="$work/bin:$PATH" "$root/bin/torchleak" run --quiet --html report.html --json report.json -- python train.py)
grep -q TL105 "$work/report.json" || fail "the report does not show the demo's fault, TL105; no picture was taken."

mkdir -p "$root/docs/img"
chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update \
    --disable-sync --user-data-dir="$work/profile" --hide-scrollbars --window-size=1100,1700 \
    --screenshot="$root/docs/img/report.png" "file://$work/report.html" >/dev/null 2>&1
say "wrote docs/img/report.png"

#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/report.sh INLAY [FOLDER]
#
# Pages of `inlay report` in a headless Chromium: they are looked at, pointed at and clicked on. Screenshots go to FOLDER where
# one is given. Skipped, and said so, where there is no Chromium (packages chromium-headless-shell or chromium). Ends with the
# line `N passed, N failed, N skipped`.
set -eu
inlay=$(realpath "$1")
root=$(realpath "$(dirname "$0")/..")
browser=$(command -v chromium-headless-shell || command -v chromium || true)
if [ -z "$browser" ] || ! command -v python3 >/dev/null; then
    printf '%s\n' "skipped: pages of reports: chromium-headless-shell or python3 is not installed" "0 passed, 0 failed, 1 skipped"
    exit 0
fi
folder=${2:-$(mktemp -d)}
mkdir -p "$folder"
[ $# -gt 1 ] || trap 'rm -rf "$folder"' EXIT
folder=$(realpath "$folder")
cd "$folder"
cat >hostile.dot <<'END'
digraph "</script><script>document.title='taken'</script>" {
  "<img src=x onerror=document.title='taken'>" [time=3, kind="<b>bold</b>"];
  "]]></script><svg onload=document.title='taken'>" [time=4];
  "\"' onmouseover=\"document.title='taken'" [time=5];
  "<!--" [time=1];
  "<img src=x onerror=document.title='taken'>" -> "<!--" [messages=2];
  "\"' onmouseover=\"document.title='taken'" -> "]]></script><svg onload=document.title='taken'>";
}
END
echo 'graph "<b onmouseover=alert(1)>bus</b>" { graph [network=bus, processors=2]; }' >hostile-bus.dot
"$inlay" generate layered --levels 200 --width 50 -o large.tg
"$inlay" report "$root/graphs/cholesky4.dot" bus:17 mesh:4x4 -o small.html >/dev/null
"$inlay" report "$root/graphs/cholesky4.dot" bus:17 mesh:4x4 --json >small.json
"$inlay" report hostile.dot bus:2 hostile-bus.dot -o hostile.html >/dev/null
"$inlay" report large.tg bus:8,capacity=1000msg/tick --effort 0 -o large.html >/dev/null
python3 "$root/tests/report/look.py" "$browser" "$folder"

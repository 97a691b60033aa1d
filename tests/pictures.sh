#!/usr/bin/env bash
# Looks at pages and pictures in a browser without a window, 1280 and 400 pixels wide: nothing is cut, no text lies on another,
# everything is large enough to be read. Then it looks at damaged ones, which it must refuse.
#
#   tests/pictures.sh [FOLDER]     FOLDER gets the pages and what they look like
set -euo pipefail
cd "$(dirname "$0")/.."

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
prom=${PROM:-target/release/prom}
if [ -z "$browser" ]; then echo "skipped: no Chromium to look with"; exit 0; fi
if [ ! -x "$prom" ]; then echo "skipped: $prom is not built"; exit 0; fi

folder=${1:-$(mktemp -d)}
mkdir -p "$folder"
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT

look() { # page width: what is wrong, one line each; nothing if all is well
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync --hide-scrollbars --user-data-dir="$profile" --window-size="$2,1400" \
        "--${3:-dump-dom}" "file://$1" 2>/dev/null
}

# What the page says about itself.
measure='<script>
window.onload = () => {
  const wrong = [], say = it => wrong.length < 8 && wrong.push(it);
  const page = document.body.dataset.kind === "page", width = window.innerWidth;
  if (page && document.documentElement.scrollWidth > width) say("the page is wider than the window");
  if (page) for (const it of document.querySelectorAll("h1,h2,li,dt,dd,td,p")) {
    const box = it.getBoundingClientRect();
    if (box.right > width + 1 || box.left < 0) say("outside: " + it.textContent.slice(0, 40));
    if (it.scrollWidth > it.clientWidth + 1 && it.clientWidth > 0) say("cut: " + it.textContent.slice(0, 40));
  }
  for (const it of document.querySelectorAll("td:first-child")) {
    const range = document.createRange(); range.selectNodeContents(it);
    if (range.getClientRects().length > 1) say("a line number is broken: " + it.textContent);
  }
  for (const svg of document.querySelectorAll("svg")) {
    const room = svg.viewBox.baseVal, scale = svg.getScreenCTM().a;
    const texts = [...svg.querySelectorAll("text")].map(it => {
      const box = it.getBBox(), at = it.getCTM(), own = svg.getCTM() || {a: 1, e: 0, f: 0};
      const left = (at.e - own.e) / own.a + box.x, top = (at.f - own.f) / own.a + box.y;
      return { left, top, right: left + box.width, bottom: top + box.height, text: it.lastChild.textContent };
    });
    for (const it of texts)
      if (it.left < 0 || it.top < 0 || it.right > room.width || it.bottom > room.height) say("outside the picture: " + it.text);
    for (let a = 0; a < texts.length; a++) for (let b = 0; b < a; b++) {
      const one = texts[a], other = texts[b];
      const x = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const y = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (x > 2 && y > 4) say("on each other: " + one.text + " and " + other.text);
    }
    if (scale * 11 < 8.5) say("too small to be read: " + (scale * 11).toFixed(1) + " pixels");
  }
  const result = document.createElement("pre");
  result.textContent = "\nLOOKED\n" + wrong.map(it => "WRONG " + it).join("\n");
  document.body.append(result);
};
</script>'

wrapped() { # file: a page that looks at it
    case "$1" in
    *.svg) echo "<!doctype html><meta charset=utf-8><body style='margin:0'>"; cat "$1"; echo "$measure</body>" ;;
    *) sed "s|<body>|<body data-kind=\"page\">|" "$1"; echo "$measure" ;;
    esac
}

verdict() { # file width
    wrapped "$1" > "$1.looked.html"
    local said
    said=$(look "$PWD_/$1.looked.html" "$2")
    grep -q '^LOOKED' <<< "$said" || { echo "WRONG the browser said nothing about $1"; return; }
    grep '^WRONG ' <<< "$said" || true
}

prom=$(realpath "$prom")
examples=$(realpath examples)
cd "$folder"
PWD_=$PWD
"$prom" check -D BROKEN "$examples/philosophers.pml" --trace deadlock > /dev/null || true
"$prom" check -D BROKEN "$examples/alternating_bit.pml" --trace messages > /dev/null || true
"$prom" replay -D BROKEN "$examples/philosophers.pml" deadlock --format html > page.html
"$prom" replay -D BROKEN "$examples/alternating_bit.pml" messages --format html > messages.html
"$prom" replay -D BROKEN "$examples/alternating_bit.pml" messages --format svg > chart.svg
"$prom" automata "$examples/leader_election.pml" --format svg -o leader.svg
"$prom" automata -D BROKEN "$examples/philosophers.pml" --trace deadlock --format svg -o way.svg
"$prom" automata "$examples/peterson.pml" --state-space --format svg -o states.svg
"$prom" ltl '[] (request -> <> granted)' --format svg > formula.svg 2> /dev/null

failed=0
for file in page.html messages.html chart.svg leader.svg way.svg states.svg formula.svg; do
    for width in 1280 400; do
        wrong=$(verdict "$file" "$width")
        if [ -n "$wrong" ]; then echo "$file at $width: $wrong"; failed=1; fi
        look "$PWD_/$file" "$width" "screenshot=$PWD_/$file.$width.png" > /dev/null || true
    done
done

# Damaged ones: a line that cannot be broken, a picture that is too small for what is in it, texts on each other.
sed 's|</h1>|<span style="white-space:nowrap">'"$(printf 'x%.0s' {1..400})"'</span></h1>|' page.html > damaged.html
sed -E 's|viewBox="0 0 [0-9]+|viewBox="0 0 150|' chart.svg > damaged1.svg
sed -E 's|(<text[^>]*) y="[0-9.]+"|\1 y="40"|; s|(<text) x="[0-9.]+"|\1 x="90"|' way.svg > damaged2.svg
for file in damaged.html damaged1.svg damaged2.svg; do
    if [ -z "$(verdict "$file" 400)" ]; then echo "$file is damaged, and nothing was noticed"; failed=1; fi
done
[ "$failed" = 0 ] && echo "pictures: 7 looked at, 1280 and 400 pixels wide; 3 damaged ones refused"
exit "$failed"

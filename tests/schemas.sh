#!/usr/bin/env bash
# Reports for other programs are what their schemas say: SARIF 2.1.0 (OASIS) and JUnit (Jenkins' xUnit plugin).
#
# The schemas are not part of this project. They come from packages that ship them: `@microsoft/jest-sarif` on npm has SARIF's as published by
# OASIS (2.1.0-rtm.5), the source of `pytest` on PyPI has Jenkins' junit-10.xsd. PROM_SCHEMAS names a folder that keeps them (or has them already).
# Needs npm, python3 with `jsonschema` and `lxml`; says so and ends if they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."

prom=${PROM:-target/release/prom}
schemas=${PROM_SCHEMAS:-target/schemas}
[ -x "$prom" ] || { echo "skipped: $prom is not built"; exit 0; }
python3 -c 'import jsonschema, lxml' 2> /dev/null || { echo "skipped: python3 has no jsonschema or no lxml"; exit 0; }
mkdir -p "$schemas"

fetch_sarif() {
    (cd "$schemas" && npm pack --silent @microsoft/jest-sarif@1.0.0-beta.0 > /dev/null 2>&1 &&
        tar xzf microsoft-jest-sarif-*.tgz --strip-components=3 package/lib/schemas/sarif-2.1.0-rtm.5.json)
}

fetch_junit() {
    python3 - "$schemas" << 'PYTHON'
import io, re, sys, tarfile, urllib.request
page = urllib.request.urlopen("https://pypi.org/simple/pytest/", timeout=30).read().decode()
link = re.search(r'href="([^"#]+pytest-7\.4\.4\.tar\.gz)', page).group(1)
archive = tarfile.open(fileobj=io.BytesIO(urllib.request.urlopen(link, timeout=60).read()))
text = archive.extractfile("pytest-7.4.4/testing/example_scripts/junit-10.xsd").read()
open(sys.argv[1] + "/junit-10.xsd", "wb").write(text)
PYTHON
}

[ -f "$schemas/sarif-2.1.0-rtm.5.json" ] || fetch_sarif || { echo "skipped: SARIF's schema cannot be fetched"; exit 0; }
[ -f "$schemas/junit-10.xsd" ] || fetch_junit 2> /dev/null || { echo "skipped: JUnit's schema cannot be fetched"; exit 0; }

reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
odd="$reports/odd name & <é>.pml"
printf 'byte x; ltl p { <> (x == 3) }\nactive proctype P() { do :: x < 2 -> x++; assert(x < 2) od }\n' > "$odd"
row=0
report() { # arguments of prom check
    for format in sarif junit; do
        "$prom" check "$@" --format "$format" > "$reports/$row.$format" 2> /dev/null || true
    done
    row=$((row + 1))
}
report examples/peterson.pml
report -D BROKEN examples/philosophers.pml
report -D BROKEN examples/alternating_bit.pml
report examples/leader_election.pml --max-depth 3 --search dfs
report examples/peterson.pml --ltl '[] <> (inside == 1)' --all-errors
report "$odd" --all-errors --progress

python3 - "$schemas" "$reports" << 'PYTHON'
import copy, glob, json, sys
import jsonschema
from lxml import etree

schemas, reports = sys.argv[1:]
sarif = jsonschema.Draft7Validator(json.load(open(schemas + "/sarif-2.1.0-rtm.5.json")))
junit = etree.XMLSchema(etree.parse(schemas + "/junit-10.xsd"))
wrong, results, cases = [], 0, 0
for file in sorted(glob.glob(reports + "/*.sarif")):
    log = json.load(open(file))
    results += sum(len(run["results"]) for run in log["runs"])
    wrong += [f"{file}: {'/'.join(map(str, it.path))}: {it.message[:200]}" for it in sarif.iter_errors(log)]
for file in sorted(glob.glob(reports + "/*.junit")):
    tree = etree.parse(file)
    cases += len(tree.findall(".//testcase"))
    if not junit.validate(tree):
        wrong += [f"{file}: {it}" for it in junit.error_log]
# Damaged ones must be refused.
damaged = copy.deepcopy(log)
damaged["runs"][0]["tool"] = {}
if sarif.is_valid(damaged):
    wrong.append("a damaged SARIF log is not refused")
tree.getroot().set("unknown", "1")
if junit.validate(tree):
    wrong.append("a damaged JUnit report is not refused")
if results < 3 or cases < 8:
    wrong.append(f"only {results} results and {cases} cases")
print("\n".join(wrong) or f"schemas: {results} results in SARIF and {cases} cases in JUnit are as their schemas say; damaged ones are refused")
sys.exit(bool(wrong))
PYTHON

#!/usr/bin/env bash
# The parser that is kept is what the grammar gives, and the grammars for editors understand what SPIN accepts: no error in any example, nor in any file of the corpus if it is there.
# Needs a generator (see editors/generate.sh), and a C compiler and python3 with `tree_sitter`; says so where they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if editors/generate.sh "$folder"; then
    for file in parser.c tree_sitter/parser.h; do
        cmp "$folder/$file" "editors/tree-sitter-promela/src/$file" || { echo "editors/generate.sh writes it anew"; exit 1; }
    done
    echo "editors: the parser is what the grammar gives"
elif [ $? -ne 3 ]; then
    exit 1
fi
python3 -c 'import tree_sitter' 2> /dev/null || { echo "skipped: python3 has no tree_sitter"; exit 0; }
compiler=$(command -v cc || command -v gcc || true)
[ -n "$compiler" ] || { echo "skipped: no C compiler"; exit 0; }
"$compiler" -O1 -shared -fPIC -Ieditors/tree-sitter-promela/src -o "$folder/promela.so" editors/tree-sitter-promela/src/parser.c

python3 - "$folder/promela.so" << 'PYTHON'
import ctypes, glob, json, os, re, sys
from tree_sitter import Language, Parser

library = ctypes.CDLL(sys.argv[1])
library.tree_sitter_promela.restype = ctypes.c_void_p
capsule = ctypes.pythonapi.PyCapsule_New
capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
language = Language(capsule(library.tree_sitter_promela(), b"tree_sitter.Language", None))
parser = Parser(language)

def first_error(node):
    if node.type == "ERROR" or node.is_missing:
        return f"line {node.start_point[0] + 1}: {node.text[:60]!r}"
    return next((it for it in map(first_error, node.children) if it), None) if node.has_error else None

files = glob.glob("examples/**/*.pml", recursive=True)
corpus = os.environ.get("PROM_CORPUS_DIR", "../shared/corpus")
for answers in ["corners", "spin-examples", "case-studies", "beem"]:
    name = f"{corpus}/{answers}.jsonl"
    records = map(json.loads, open(name)) if os.path.exists(name) else []
    # What SPIN itself refuses need not be understood.
    files += sorted({f"{corpus}/{it['model']}" for it in records if it.get("fail") != "spin"})
wrong, unseen = [], 0
for file in files:
    text = open(file, "rb").read()
    error = first_error(parser.parse(text).root_node)
    wrong += [f"{file}: {error}"] if error else []
    # The same with a word too many must be seen.
    unseen += not parser.parse(text + b"\nproctype proctype {").root_node.has_error
if unseen:
    wrong.append(f"{unseen} damaged files were not seen to be wrong")

# Every pattern of the queries names what is there.
from tree_sitter import Query
Query(language, open("editors/tree-sitter-promela/queries/highlights.scm").read())

# The TextMate grammar knows every word.
grammar = json.load(open("editors/promela.tmLanguage.json"))
def patterns(node):
    if isinstance(node, dict):
        yield from (node[it] for it in ("match", "begin") if it in node)
        for it in node.values():
            yield from patterns(it)
    elif isinstance(node, list):
        for it in node:
            yield from patterns(it)
words = """active assert atomic bit bool break byte c_code c_decl c_expr c_state c_track D_proctype do chan else empty enabled eval false fi for full
get_priority goto hidden if in init inline int len local ltl mtype nempty never nfull notrace np_ od of pc_value pid printf printm priority proctype
provided return run d_step select set_priority short skip timeout trace true show typedef unless unsigned xr xs
always eventually until stronguntil weakuntil release next implies equivalent U V W X _pid _nr_pr _last""".split()
known = [re.compile(it) for it in patterns(grammar)]
for word in words:
    if not any((found := it.search(f" {word} ")) and found.group().strip() == word for it in known):
        wrong.append(f"the TextMate grammar does not know `{word}`")
print("\n".join(wrong) or f"editors: {len(files)} files without an error, {len(files)} damaged ones seen; {len(words)} words known")
sys.exit(bool(wrong))
PYTHON

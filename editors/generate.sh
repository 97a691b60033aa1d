#!/usr/bin/env bash
# Writes the parser of the tree-sitter grammar anew, from grammar.js: editors/generate.sh, or editors/generate.sh FOLDER to have it there.
# Needs node, and a generator of the version below: `tree-sitter` itself, the one of npm, or the library of crates.io that both are made of, which is built in target/.
# Exit code: 0, or 3 if none can be had.
set -euo pipefail
cd "$(dirname "$0")/tree-sitter-promela"
version=0.25.10
abi=15
to=${1:-src}
mkdir -p "$to/tree_sitter"
to=$(cd "$to" && pwd)
target=$(cd ../.. && pwd)/target/tree-sitter-generate
command -v node > /dev/null || { echo "skipped: no node"; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp grammar.js package.json tree-sitter.json "$folder"

# The library, with as much of a program around it as it needs.
library() {
    command -v cargo > /dev/null || return 1
    mkdir -p "$target/src"
    cat > "$target/Cargo.toml" << END
[package]
name = "generate"
version = "0.0.0"
edition = "2021"
[dependencies]
tree-sitter-generate = "=$version"
[workspace]
END
    cat > "$target/src/main.rs" << END
fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let folder = std::path::Path::new(&folder);
    tree_sitter_generate::generate_parser_in_directory(folder, None, None, $abi, None, Some("node")).expect("a parser");
}
END
    cargo build --quiet --release --manifest-path "$target/Cargo.toml" --target-dir "$target/target" 2> "$folder/said" || return 1
    "$target/target/release/generate" "$folder"
}

if [ "$(tree-sitter --version 2> /dev/null | cut -d' ' -f2)" = "$version" ]; then
    (cd "$folder" && tree-sitter generate --abi "$abi")
elif npx --yes "tree-sitter-cli@$version" --version > /dev/null 2>&1; then
    (cd "$folder" && npx --yes "tree-sitter-cli@$version" generate --abi "$abi" 2> "$folder/said")
elif ! library; then
    echo "skipped: neither tree-sitter $version nor its library can be had"
    exit 3
fi
cp "$folder/src/parser.c" "$to/parser.c"
cp "$folder/src/tree_sitter/parser.h" "$to/tree_sitter/parser.h"

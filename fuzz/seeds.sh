#!/bin/sh
# Fills corpus/TARGET with what the project has: examples, the models in the literate tests, the wrong
# inputs of the golden tests, and the small models of the shared corpus if it is there.
set -eu
cd "$(dirname "$0")"

for target in preprocessor parser compile; do
    out="corpus/$target"
    mkdir -p "$out"
    # Each ```promela block of a literate test is a model.
    for file in ../tests/literate/*.md; do
        name=$(basename "$file" .md)
        awk -v out="$out/literate-$name" '
            /^```promela/ { number++; inside = 1; next }
            /^```/        { inside = 0 }
            inside        { print > (out "-" number ".pml") }
        ' "$file"
    done
    for file in ../examples/*.pml ../tests/golden/diagnostics/*.pml ../../shared/corpus/corners/*.pml; do
        case "$file" in *explosion* | *too-*) continue ;; esac # these are slow on purpose
        [ -f "$file" ] && [ "$(wc -c < "$file")" -le 4096 ] && cp "$file" "$out/$(basename "$file")"
    done
done
echo "$(ls corpus/parser | wc -l) seeds for each target"

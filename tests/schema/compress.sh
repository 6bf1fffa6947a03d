# shellcheck shell=sh
compress() { inlay compress --json --quiet "$1" 2>"$FOLDER/said" || [ $? -eq 1 ]; } # 1: something has no bound
compress docs/examples/figure.c
compress tests/cli/compress/limits/files/limits.c
compress tests/cli/compress/json/files/parts.c

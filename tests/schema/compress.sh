# shellcheck shell=sh
compress() { inlay compress --json --quiet "$1" 2>"$FOLDER/said" || [ $? -eq 1 ]; } # 1: something has no bound
compress docs/examples/figure.c
compress tests/cli/compress/limits/files/limits.c
compress tests/cli/compress/json/files/parts.c

printf 'void f(double *x, int n)\n{\n    while (n--)\n        *x *= 2;\n}\ndouble g(double y)\n{\n    for (int i = 0; i < 3; i++)\n        y *= 2;\n    return y;\n}\nint main(int n, char **word)\n{\n    double y = g(0);\n    while (word[1][0] > 48 + n)\n        y *= 2, n++;\n    return y > 1;\n}\n' >"$FOLDER/run.c"
inlay compress --json --quiet -f f,g,main --run 7 "$FOLDER/run.c" 2>"$FOLDER/said" || [ $? -eq 1 ]

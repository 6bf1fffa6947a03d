# Writes C functions of random loops of all kinds, jumps and conditions that hang on data, and a function that runs them all.
# Whole numbers are only counted up and down and compared.
function pick(n) { return int(rand() * n) }
function indent(depth) { return sprintf("%*s", 4 + 4 * depth, "") }
function real() { return substr("tuv", 1 + pick(3), 1) }
function expression(deep,   k) {
    k = pick(deep > 2 ? 3 : 9)
    if (k < 2) return real()
    if (k < 3) return "(" real() " * " pick(9) + 1 ".5)"
    if (k < 4) return "(" expression(deep + 1) " + " expression(deep + 1) ")"
    if (k < 5) return "(" expression(deep + 1) " - " real() ")"
    if (k < 6) return "sin(" expression(deep + 1) ")"
    if (k < 7) return "(" condition(deep + 1) " ? " expression(deep + 1) " : " expression(deep + 1) ")"
    if (k < 8) return "-(" expression(deep + 1) ")"
    return "half(" expression(deep + 1) ")"
}
function condition(deep,   k) {
    k = pick(deep > 2 ? 2 : 6)
    if (k < 2) return "(" real() (pick(2) ? " < " : " > ") real() ")"
    if (k < 3) return "(" condition(deep + 1) (pick(2) ? " && " : " || ") condition(deep + 1) ")"
    if (k < 4) return "(" expression(deep + 1) " > " expression(deep + 1) ")"
    if (k < 5) return "(seed() & " (pick(3) + 1) ")"
    return "!" condition(deep + 1)
}
function control(   k) { # of a loop: what is calculated there does not count, but for calls
    k = pick(3)
    if (k < 1) return "(" real() " < " real() ")"
    if (k < 2) return "sin(" expression(1) ") < 0"
    return "(" real() " < " real() " || half(" expression(1) ") > " real() ")"
}
function statement(depth, loops,   k, v) {
    k = pick(depth > 4 ? 3 : 14)
    v = "n" depth
    if (k < 3) printf "%s%s = %s;\n", indent(depth), real(), expression(0)
    else if (k < 4) printf "%s%s %s= %s;\n", indent(depth), real(), substr("+-*", 1 + pick(3), 1), expression(1)
    else if (k < 6) {
        printf "%sif (%s)\n", indent(depth), condition(0)
        if (pick(2)) block(depth, loops)
        else statement(depth + 1, loops)
        if (pick(2)) { printf "%selse\n", indent(depth); statement(depth + 1, loops) }
    } else if (k < 7) {
        printf "%s{\n%sint %s = seed() & 7;\n%swhile (%s-- > 0 && (%s || %s > 2))\n", indent(depth), indent(depth + 1), v, indent(depth + 1), v, control(), v
        if (pick(2)) block(depth + 1, 1)
        else statement(depth + 2, 1)
        printf "%s}\n", indent(depth)
    } else if (k < 8) {
        printf "%s{\n%sint %s = seed() & 7;\n%sdo\n", indent(depth), indent(depth + 1), v, indent(depth + 1)
        if (pick(2)) block(depth + 1, 1)
        else statement(depth + 2, 1)
        printf "%swhile (--%s > 0);\n%s}\n", indent(depth + 1), v, indent(depth)
    } else if (k < 9) {
        printf "%sfor (int %s = 0, e = seed() & 7; %s < e; %s++)\n", indent(depth), v, v, v
        if (pick(2)) block(depth, 1)
        else statement(depth + 1, 1)
    } else if (k < 10) {
        printf "%sfor (int %s = 0;;) {\n%sif (%s++ > (seed() & 7)) break;\n", indent(depth), v, indent(depth + 1), v
        statement(depth + 1, 1)
        printf "%s}\n", indent(depth)
    } else if (k < 11 && loops) printf "%sif (%s) %s;\n", indent(depth), condition(1), pick(2) ? "continue" : "break"
    else if (k < 12) printf "%sif (%s) %s;\n", indent(depth), condition(1), pick(3) ? "t += 1" : "return"
    else if (k < 13) {
        printf "%sswitch (seed() & 7) {\n", indent(depth)
        printf "%scase 0: %s = %s;\n", indent(depth), real(), expression(1)
        printf "%scase 1: case 5:\n", indent(depth)
        statement(depth + 1, loops)
        if (pick(2)) printf "%sbreak;\n", indent(depth + 1)
        printf "%sdefault:\n", indent(depth)
        statement(depth + 1, loops)
        printf "%s}\n", indent(depth)
    } else {
        labels++
        printf "%s{\n%sint %s = seed() & 3;\n%sagain%d: %s = %s;\n", indent(depth), indent(depth + 1), v, indent(depth), labels, real(), expression(1)
        printf "%sif (%s-- > 0) goto again%d;\n%s}\n", indent(depth + 1), v, labels, indent(depth)
    }
}
function block(depth, loops,   i, n) {
    printf "%s{\n", indent(depth)
    n = 1 + pick(3)
    for (i = 0; i < n; i++) statement(depth + 1, loops)
    printf "%s}\n", indent(depth)
}
BEGIN {
    srand(random)
    print "#include <math.h>\nstatic double t = 1, u = 2, v = 3;\nstatic unsigned state = 1;"
    print "static int seed(void)\n{\n    state ^= state << 13;\n    state ^= state >> 17;\n    state ^= state << 5;\n    return (int)(state >> 8 & 255);\n}"
    print "static double half(double x)\n{\n    return x > 100 ? 1 : x < -100 ? x / 64 : 0.5 * x;\n}"
    for (f = 0; f < count; f++) {
        printf "void f%d(void)\n{\n", f
        n = 2 + pick(4)
        for (s = 0; s < n; s++) statement(0, 0)
        print "}"
    }
    print "#ifdef COUNTED\nvoid all()\n{"
    for (f = 0; f < count; f++) printf "    f%d(), report(\"f%d\");\n", f, f
    print "}\n#else\nint main(void)\n{"
    for (f = 0; f < count; f++) printf "    f%d();\n", f
    print "    return 0;\n}\n#endif"
}

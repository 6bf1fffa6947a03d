# Writes C functions of nested loops with random starts, bounds, steps and conditions, and a function that runs them all.
# Whole numbers are computed with in the control of loops alone, where they do not count.
function pick(n) { return int(rand() * n) }
function place(depth, low,   of) { # a whole number, or one that hangs on an outer variable
    if (depth == 0 || pick(3) == 0) return pick(15) + low
    of = substr("ijk", 1 + pick(depth), 1)
    if (pick(4) == 0) return pick(3) " * " of
    if (pick(4) == 0) return of " / 2 + " pick(4)
    if (pick(5) == 0) return "(" of " > " pick(9) " ? " pick(12) " : " of ")"
    return of (pick(2) ? " + " : " - ") pick(6)
}
function step(v, up,   by) {
    by = 1 + pick(4)
    if (pick(3) == 0) return up ? v "++" : "--" v
    if (pick(2) == 0) return v (up ? " += " : " -= ") by
    if (up && pick(2) == 0) return v " = " by " + " v
    return v " = " v (up ? " + " : " - ") by
}
function indent(depth) { return sprintf("%*s", 4 + 4 * depth, "") }
function body(depth) {
    printf "%st = t * 2 + 1;\n", indent(depth)
    if (depth > 1 && pick(2)) printf "%sif (%s %s %s)\n%st = sin(t);\n", indent(depth), substr("ijk", 1 + pick(depth), 1), pick(2) ? "<" : "==", pick(2) ? pick(12) : substr("ijk", 1 + pick(depth), 1), indent(depth + 1)
    if (depth > 0 && pick(3) == 0) printf "%st = (%s & 1) ? t : -t - 1;\n", indent(depth), substr("ijk", 1 + pick(depth), 1)
}
function condition(depth,   of) {
    of = substr("ijk", 1 + pick(depth), 1)
    return pick(2) ? "(" of " & 3) == " pick(4) : of (pick(2) ? " > " pick(9) : " == " pick(6))
}
function leave(depth,   way) { # the loop, an iteration, or the function
    way = pick(9)
    printf "%sif (%s)\n%s%s;\n", indent(depth), condition(depth), indent(depth + 1), way < 4 ? "continue" : way < 8 ? "break" : "return"
}
function choose(depth,   i, cases) {
    printf "%sswitch (%s & 7) {\n", indent(depth), substr("ijk", 1 + pick(depth), 1)
    cases = 1 + pick(3)
    for (i = 0; i < cases; i++) {
        printf "%s%s:\n", indent(depth), i == 1 && pick(2) ? "default" : i == 2 ? "case 3 ... 4" : "case " (2 * i)
        printf "%st = t * 3 - 1;\n", indent(depth + 1)
        if (pick(3) == 0) printf "%sif (%s)\n%s%s;\n", indent(depth + 1), condition(depth), indent(depth + 2), pick(2) ? "break" : "continue"
        if (pick(2)) printf "%st = t + 1;\n", indent(depth + 1)
        if (pick(3)) printf "%s%s;\n", indent(depth + 1), pick(4) ? "break" : "continue"
    }
    printf "%s}\n", indent(depth)
}
function loop(depth,   v, up, type) {
    v = substr("ijk", 1 + depth, 1)
    up = pick(2)
    type = pick(4) ? "int" : pick(2) ? "long" : "short"
    if (pick(8) == 0)
        printf "%sfor (%s %s = 1; %s <= %s; %s *= 2) {\n", indent(depth), type, v, v, place(depth, 9), v
    else if (pick(8) == 0)
        printf "%sfor (%s %s = %s; %s * %s < %s; %s) {\n", indent(depth), type, v, pick(3), v, v, place(depth, 9), step(v, 1)
    else if (pick(6) == 0)
        printf "%sfor (%s %s = %s; %s %s %s; %s) {\n", indent(depth), type, v, place(depth, up ? -5 : 7), place(depth, up ? 7 : -5), up ? ">" : "<=", v, step(v, up)
    else
        printf "%sfor (%s %s = %s; %s %s%s %s; %s) {\n", indent(depth), type, v, place(depth, up ? -5 : 7), v, up ? "<" : ">", pick(2) ? "=" : "", place(depth, up ? 7 : -5), step(v, up)
    if (pick(3)) body(depth + 1)
    if (depth < 2 && pick(4)) loop(depth + 1)
    if (pick(4) == 0) choose(depth + 1)
    if (pick(3) == 0) leave(depth + 1)
    if (pick(4) == 0) body(depth + 1)
    if (depth < 2 && pick(4) == 0) loop(depth + 1)
    printf "%s}\n", indent(depth)
}
BEGIN {
    srand(seed)
    print "#include <math.h>\nstatic double t;"
    for (f = 0; f < count; f++) {
        printf "void f%d(void)\n{\n", f
        body(0)
        loop(0)
        if (pick(2)) loop(0)
        print "}"
    }
    print "#ifdef COUNTED\nvoid all()\n{"
    for (f = 0; f < count; f++) printf "    f%d(), report(\"f%d\");\n", f, f
    print "}\n#endif"
}

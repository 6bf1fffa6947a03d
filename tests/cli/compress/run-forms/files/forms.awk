# Writes C functions of loops whose trips are known without a run: while and do loops, pointers, two variables, globals, with
# jumps, and a main() that calls them all.
function pick(n) { return int(rand() * n) }
function indent(depth) { return sprintf("%*s", 4 + 4 * depth, "") }
function work(depth) { printf "%st = t * 1.5 + 1;\n", indent(depth) }
function inside(depth, v) {
    work(depth)
    if (pick(3) == 0) printf "%sif (%s > %d)\n%st = t - 1;\n", indent(depth), v, pick(9), indent(depth + 1)
    if (pick(5) == 0) printf "%sif (%s == %d)\n%sbreak;\n", indent(depth), v, pick(12), indent(depth + 1)
    if (depth < 3 && pick(3) == 0) loop(depth)
}
function step(v, by) { return by == 1 && pick(2) ? v "++" : by == 1 ? "++" v : pick(2) ? v " += " by : v " = " v " + " by }
function down(v, by) { return by == 1 && pick(2) ? v "--" : by == 1 ? "--" v : v " -= " by }
function start(v, n) { return pick(4) ? n : pick(2) ? "ga" : "gb + " pick(4) }
function loop(depth,   k, v, w, n, by, type, at) {
    k = pick(13)
    v = "i" ++variables
    w = "j" variables
    n = pick(14)
    by = 1 + (pick(3) ? 0 : pick(4))
    type = pick(4) ? "int" : pick(2) ? "long" : "unsigned"
    printf "%s{\n", indent(depth)
    if (k == 0) { # up, the step anywhere
        at = pick(2)
        printf "%sint %s = %s;\n%swhile (%s %s %d) {\n", indent(depth + 1), v, start(v, pick(6)), indent(depth + 1), v, pick(2) ? "<" : "<=", n
        if (at) printf "%s%s;\n", indent(depth + 2), step(v, by)
        inside(depth + 2, v)
        if (!at) printf "%s%s;\n", indent(depth + 2), step(v, by)
    } else if (k == 1) {
        printf "%sint %s = %s;\n%swhile (%s) {\n", indent(depth + 1), v, start(v, n), indent(depth + 1), pick(2) ? v "-- > 0" : "--" v " >= 0"
        inside(depth + 2, v)
    } else if (k == 2) {
        printf "%s%s %s = %d;\n%swhile (%s--) {\n", indent(depth + 1), type, v, n, indent(depth + 1), v
        inside(depth + 2, v)
    } else if (k == 3) {
        printf "%s%s %s = %d;\n%swhile (%s++ %s %d) {\n", indent(depth + 1), type, v, pick(6), indent(depth + 1), v, pick(2) ? "<" : "<=", n
        inside(depth + 2, v)
    } else if (k == 4) {
        at = pick(2)
        printf "%sint %s = %s;\n%sdo {\n", indent(depth + 1), v, start(v, pick(6)), indent(depth + 1)
        if (at) printf "%s%s;\n", indent(depth + 2), step(v, by)
        inside(depth + 2, v)
        if (!at) printf "%s%s;\n", indent(depth + 2), step(v, by)
        printf "%s} while (%s < %d);\n%s{\n", indent(depth + 1), v, n, indent(depth + 1)
    } else if (k == 5) {
        printf "%sint %s = %d;\n%sdo {\n", indent(depth + 1), v, n + 1, indent(depth + 1)
        inside(depth + 2, v)
        printf "%s} while (%s);\n%s{\n", indent(depth + 1), pick(3) ? "--" v " > 0" : v "-- > 0", indent(depth + 1)
    } else if (k == 6) {
        printf "%sfor (%s %s = %d, %s = %d; %s %s %s; %s, %s) {\n", indent(depth + 1), pick(3) ? "int" : "long", v, pick(4), w, n, v, pick(2) ? "<" : "<=", w, step(v, 1), down(w, by)
        inside(depth + 2, v)
    } else if (k == 7) {
        printf "%sint %s = %d, %s = %d;\n%swhile (%s > %s) {\n", indent(depth + 1), v, n, w, pick(4), indent(depth + 1), v, w
        inside(depth + 2, v)
        printf "%s%s;\n%s%s;\n", indent(depth + 2), step(w, by), indent(depth + 2), down(v, 1)
    } else if (k == 8) {
        printf "%sconst double *%s;\n%sfor (%s = a%s; %s %s %s; %s) {\n", indent(depth + 1), v, indent(depth + 1), v, pick(2) ? "" : " + " pick(4), v, pick(2) ? "<" : "<=", pick(2) ? "a + " n : "&a[" n "]", step(v, 1)
        work(depth + 2)
        if (pick(3) == 0) printf "%sif (%s == a + %d)\n%sbreak;\n", indent(depth + 2), v, pick(9), indent(depth + 3)
    } else if (k == 9) {
        printf "%sdouble *%s = a, *%s = a + %d;\n%swhile (%s != %s) {\n", indent(depth + 1), v, w, n, indent(depth + 1), v, w
        printf "%st += *%s++;\n", indent(depth + 2), v
    } else if (k == 10) {
        printf "%sconst double *%s = a + %d, *%s = a;\n%sfor (; %s > %s; %s, %s) {\n", indent(depth + 1), v, n, w, indent(depth + 1), v, w, down(v, by), step(w, 1)
        work(depth + 2)
    } else if (k == 11) {
        printf "%sga = %d;\n%sset(%d);\n%sfor (int %s = 0; %s < ga + gb; %s) {\n", indent(depth + 1), pick(5), indent(depth + 1), pick(5), indent(depth + 1), v, v, step(v, by)
        inside(depth + 2, v)
    } else {
        printf "%sfor (int %s = 1; %s < %d; %s) {\n", indent(depth + 1), v, v, n * 4, pick(2) ? v " += " v : v " = " v " + " v
        inside(depth + 2, v)
    }
    printf "%s}\n%s}\n", indent(depth + 1), indent(depth)
}
BEGIN {
    srand(seed)
    print "static double t, a[40];\nstatic int ga, gb;\nstatic void set(int n)\n{\n    gb = n;\n}"
    for (f = 0; f < count; f++) {
        printf "void f%d(void)\n{\n    ga = %d;\n    gb = %d;\n", f, pick(6), pick(6)
        loop(0)
        if (pick(2)) loop(0)
        print "}"
    }
    print "int main(void)\n{"
    for (f = 0; f < count; f++) printf "    t = 1, f%d();\n", f
    print "    return 0;\n}"
}

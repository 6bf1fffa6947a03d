// Runs a function of C with every operation counted while it runs: doubles become objects whose operators count. Loop
// variables and indices stay what they are. Compiled with -DTESTED="\"x.c\"" -DENTRY=call.
#include <cmath>
#include <cstddef>
#include <cstdio>

static long arithmetic, functions;

struct counted {
    double v;
    counted(double v = 0) : v(v) {}
    explicit operator int() const { return (int)v; }
    explicit operator bool() const { return v != 0; }
    counted operator+() const { return *this; }
    counted operator-() const { return arithmetic++, counted(-v); }
    counted &operator+=(counted o) { return arithmetic++, v += o.v, *this; }
    counted &operator-=(counted o) { return arithmetic++, v -= o.v, *this; }
    counted &operator*=(counted o) { return arithmetic++, v *= o.v, *this; }
    counted &operator/=(counted o) { return arithmetic++, v /= o.v, *this; }
    counted &operator%=(counted o) { return arithmetic++, v = std::fmod(v, o.v), *this; }
    counted &operator++() { return arithmetic++, v++, *this; }
    counted operator++(int) { return arithmetic++, counted(v++); }
    counted operator--(int) { return arithmetic++, counted(v--); }
};

static counted operator+(counted a, counted b) { return arithmetic++, counted(a.v + b.v); }
static counted operator-(counted a, counted b) { return arithmetic++, counted(a.v - b.v); }
static counted operator*(counted a, counted b) { return arithmetic++, counted(a.v * b.v); }
static counted operator/(counted a, counted b) { return arithmetic++, counted(a.v / b.v); }
static counted operator%(counted a, counted b) { return arithmetic++, counted(std::fmod(a.v, b.v)); }
static bool operator<(counted a, counted b) { return a.v < b.v; }
static bool operator>(counted a, counted b) { return a.v > b.v; }

#define EVALUATION(name) static counted name(counted x) { return functions++, counted(std::name(x.v)); }
EVALUATION(sin) EVALUATION(cos) EVALUATION(tan) EVALUATION(atan) EVALUATION(exp) EVALUATION(log) EVALUATION(sqrt)
EVALUATION(tanh) EVALUATION(cbrt) EVALUATION(erf)
#define INSTRUCTION(name) static counted name(counted x) { return arithmetic++, counted(std::name(x.v)); }
INSTRUCTION(fabs) INSTRUCTION(floor) INSTRUCTION(ceil)
static counted fmax(counted x, counted y) { return arithmetic++, counted(std::fmax(x.v, y.v)); }
static counted sqrtf(counted x) { return functions++, counted(std::sqrt(x.v)); }
static counted atan2(counted x, counted y) { return functions++, counted(std::atan2(x.v, y.v)); }
static counted pow(counted x, counted y) { return functions++, counted(std::pow(x.v, y.v)); }
static counted pow(counted x, double y)
{
    bool small = std::floor(y) == y && std::fabs(y) <= 8;
    (small ? arithmetic : functions)++;
    return counted(std::pow(x.v, y));
}
static counted pow(counted x, int y) { return pow(x, (double)y); }

static void report(const char *name)
{
    std::printf("%s %ld %ld\n", name, arithmetic, functions);
    arithmetic = functions = 0;
}

#define COUNTED
#define double counted
#define float counted
#define number counted
#define V(x) counted(x)
#define COMPUTES(n) arithmetic += (n)
#include TESTED
#undef double

#undef main
int main()
{
    ENTRY;
    std::printf("%ld %ld\n", arithmetic, functions);
}

/* Class S, as NPB's setparams writes it. */
#define NA 1400
#define NONZER 7
#define NITER 15
#define SHIFT 10.0
#define RCOND 1.0e-1
#define NPBVERSION "3.0"
#define COMPILETIME ""
#define CS1 ""
#define CS2 ""
#define CS3 ""
#define CS4 ""
#define CS5 ""
#define CS6 ""
#define CS7 ""

/* Class S, as NPB's setparams writes it. */
#define CLASS 'S'
#define NPBVERSION "2.3"
#define COMPILETIME ""
#define CC ""
#define CLINK ""
#define C_LIB ""
#define C_INC ""
#define CFLAGS ""
#define CLINKFLAGS ""
void timer_clear(int n);
void timer_start(int n);
void timer_stop(int n);
double timer_read(int n);
void c_print_results();

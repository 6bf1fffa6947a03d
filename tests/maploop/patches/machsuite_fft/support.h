/* In the place of the harness of MachSuite, which measures: what the kernels need of it. */
#include <stdint.h>

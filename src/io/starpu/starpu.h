/*
 * StarPU's programs: the graph that starpu_bound_print_dot() writes, and what its sampling folder has.
 *
 *   graph.c   tasks and dependences, and the application that they make with the models
 *   models.c  how long a codelet takes, by kind of device
 *   times.c   any application with the times of codelets
 *   computer.c  what was measured of a computer, as a machine
 */
#ifndef IO_STARPU_STARPU_H
#define IO_STARPU_STARPU_H

#include <inlay/io.h>

enum { STARPU_TYPES = 8 };

/** "cpu", "cuda", "opencl", "mic", "max_fpga", "mpi_ms", "tcpip_ms", "hip" */
extern const char *const starpu_types[STARPU_TYPES];

/** A codelet: what its tasks take on each kind of device, at the size that was chosen. */
typedef struct starpu_codelet {
    char *name;                     /**< of its model; owned by who made it */
    double seconds[STARPU_TYPES];   /**< the mean; NaN where it was not measured */
    double deviation[STARPU_TYPES]; /**< in seconds */
    int64_t measured;               /**< how often; 0: it has no model */
    int sizes;                      /**< of its measurements */
    double wanted;     /**< bytes of its data; 0: not known. Where that was measured it is the size taken */
    double size;       /**< bytes: the size taken */
    int64_t rows, odd; /**< measurements in its file, and those whose sums do not fit mean and deviation */
} starpu_codelet;

/** Where models are, once it was found. */
typedef struct starpu_folder {
    const inlay_starpu_models *asked;
    char *path;           /**< of the files MODEL.COMPUTER; owned */
    int64_t combinations; /**< of several devices or cores, left out */
} starpu_folder;

int starpu_folder_find(const inlay_starpu_models *asked, starpu_folder *folder, inlay_diag *diag);
void starpu_folder_clear(starpu_folder *folder);

/** Fill in what the codelet of that name takes. */
int starpu_model_read(starpu_folder *folder, starpu_codelet *codelet, inlay_diag *diag);

bool starpu_is_measured(const starpu_codelet *codelet, int type);

#endif

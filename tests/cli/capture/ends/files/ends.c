/* Tasks that end in many ways: ends HOW. */
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static void many(int tasks, const char *how)
{
    volatile long sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < tasks; i++) {
        if (i == tasks / 2 && strcmp(how, "crash") == 0) {
            abort();
        }
        if (i == tasks / 2 && strcmp(how, "fork") == 0) {
            pid_t child = fork();
            if (child == 0) {
                _exit(EXIT_SUCCESS);
            }
            (void)waitpid(child, NULL, 0);
        }
#pragma omp task shared(sum)
        for (int k = 0; k < 100; k++) {
            sum += k;
        }
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    if (strcmp(how, "none") == 0) {
        return EXIT_SUCCESS;
    }
    many(strcmp(how, "many") == 0 ? 200000 : 100, how);
    if (strcmp(how, "child") == 0) {
        return system("./ends well"); // NOLINT
    }
    return strcmp(how, "status") == 0 ? 3 : EXIT_SUCCESS;
}

/*
 * Prints how many instructions the work of prog.c takes. Another process goes through it one by one, so that it does not
 * matter what else this computer does. Status 77 where no process may do so.
 */
#define main program_main
#include "prog.c"
#undef main

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

static int work(void)
{
    struct rank self = {.iteration = 1e-9, .state = first};
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
        return 77;
    }
    (void)raise(SIGSTOP);
    do_work(&self, &works[0]);
    return 0;
}

int main(void)
{
    int status = 0;
    long instructions = 0;
    pid_t child = fork();
    if (child == 0) {
        _exit(work());
    }
    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
        if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) != 0) {
            (void)kill(child, SIGKILL);
            return 77;
        }
        instructions++;
    }
    (void)printf("%ld\n", instructions);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

#include <unistd.h>
#include <sys/wait.h>
int main(void) { double x = 1; if (fork() == 0) { x = x * 3; } else wait(0); return 0; }

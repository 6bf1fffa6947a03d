/* Counts what a compiler's instrumentation says is read and written. */
#include <stdio.h>

static long touched;

#define TOUCH(name, size) void name(void *at) { (void)at, touched += size; }
TOUCH(__tsan_read1, 1) TOUCH(__tsan_read2, 2) TOUCH(__tsan_read4, 4) TOUCH(__tsan_read8, 8) TOUCH(__tsan_read16, 16)
TOUCH(__tsan_write1, 1) TOUCH(__tsan_write2, 2) TOUCH(__tsan_write4, 4) TOUCH(__tsan_write8, 8) TOUCH(__tsan_write16, 16)
void __tsan_init(void) {}
void __tsan_func_entry(void *at) { (void)at; }
void __tsan_func_exit(void) {}

#define KERNEL(name) void name(void);
#include "list.h"
#undef KERNEL
int main(void)
{
#define KERNEL(name) touched = 0, name(), printf("%s %ld\n", #name, touched);
#include "list.h"
}

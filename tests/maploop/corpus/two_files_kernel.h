#ifndef TWO_FILES_KERNEL_H
#define TWO_FILES_KERNEL_H
double potential(double distance) __attribute__((const));
#endif

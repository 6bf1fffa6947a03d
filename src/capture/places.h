/* Names of code locations in a program that has ended: by the map of its memory and what its files tell. */
#ifndef CAPTURE_PLACES_H
#define CAPTURE_PLACES_H

#include <inlay/status.h>
#include <stddef.h>
#include <stdint.h>

typedef struct code_places code_places;

/* By LOG_MAPS of that recorder and process; where there is none, addresses stay numbers. NULL: no memory (said). */
code_places *places_read(const char *folder, const char *recorder, long process, inlay_diag *diag);
void places_free(code_places *places);

enum { PLACE_NAME = 256 };

/* The file that the process ran; empty where that is not known. Returns `name`. */
char *places_program(const code_places *places, char name[PLACE_NAME]);

/*
 * The place of a call by the address behind it: "solver.c:42" where the program was compiled with -g, else the file that
 * the code is in and the offset there, "solver+0x11f3". Returns `name`.
 */
char *places_name(code_places *places, uint64_t address, char name[PLACE_NAME]);

#endif

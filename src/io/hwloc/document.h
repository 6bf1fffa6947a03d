/*
 * What a description of a computer has to be before libhwloc sees it, which trusts its documents: objects with their
 * sets of threads, within those of the objects around them and in order. libxml2 reads it for this; what is refused
 * has its line.
 */
#ifndef IO_HWLOC_DOCUMENT_H
#define IO_HWLOC_DOCUMENT_H

#include <inlay/status.h>
#include <stddef.h>

/** INLAY_OK where libhwloc may load it. */
int hwloc_document_check(const char *data, size_t size, const char *source, inlay_diag *diag);

#endif

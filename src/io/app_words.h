/*
 * What an application says of its parts, as names and values: the attributes of docs/graphs.md, which DOT, GraphML and CSV
 * write each in its own way. What is as a reader takes it anyway is not said.
 */
#ifndef IO_APP_WORDS_H
#define IO_APP_WORDS_H

#include "graph/data.h"

/** Takes one of them, which live during the call. Returns a status: the first that is not INLAY_OK ends the saying. */
typedef int app_say(void *context, const char *name, const char *value);

int app_say_graph(const inlay_app *app, app_say *say, void *context);
int app_say_module(const inlay_app *app, inlay_id module, app_say *say, void *context, inlay_diag *diag);
int app_say_block(const inlay_app *app, inlay_id block, app_say *say, void *context);

/** Of a link, or a use of a block. */
int app_say_link(const inlay_app *app, const apart_link *link, app_say *say, void *context);
int app_say_use(const inlay_app *app, inlay_id block, const inlay_links *uses, int64_t use, app_say *say,
                void *context);

#endif

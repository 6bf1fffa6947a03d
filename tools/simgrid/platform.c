/* The platform file: written by the library into a folder that nobody else has. */
#include "platform.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 64 /* for what stands behind the name of the folder */ };

void simgrid_platform_remove(platform *p)
{
    if (p->folder[0] != '\0') {
        (void)unlink(p->file);
        (void)rmdir(p->folder);
    }
    *p = (platform){0};
}

static int make_folder(platform *p)
{
    const char *parent = getenv("TMPDIR");
    int length =
        snprintf(p->folder, sizeof p->folder, "%s/inlay-XXXXXX", parent != NULL && parent[0] == '/' ? parent : "/tmp");
    if (length < 0 || (size_t)length + ROOM > sizeof p->folder || mkdtemp(p->folder) == NULL) {
        *p = (platform){0};
        return INLAY_SYSTEM;
    }
    return INLAY_OK;
}

static void name_file(platform *p, const char *name)
{
    memcpy(p->file, p->folder, strlen(p->folder) + 1);
    strcat(p->file, name); /* make_folder() has left room */
}

/* Whether the machine is a platform file of the user's, which is written as it stands. */
static bool is_platform(const inlay_machine *machine)
{
    const char *format = inlay_machine_format(machine);
    return format != NULL && strcmp(format, "simgrid") == 0;
}

/*
 * What a platform needs to be told besides: how much a link carries where the application's ticks decide that, and how
 * large a message is where the machine counts messages. A user's platform file that refers to others, of loads and
 * failures that Inlay does not know, is written anew where an attribute stands behind it.
 */
static const char *missing_attributes(const inlay_machine *machine, bool free_network)
{
    if (is_platform(machine)) {
        return strstr(inlay_machine_document(machine), "_file=") != NULL ? ",transfers=1" : "";
    }
    inlay_rate rate;
    bool links = inlay_machine_has_links(machine);
    bool known = links ? inlay_machine_links_known(machine) : inlay_machine_capacity(machine, &rate);
    bool bytes = links ? inlay_machine_links_in_bytes(machine) : known && rate.kind == INLAY_RATE_BYTES;
    bool sized = inlay_machine_message_size(machine) > 0;
    if (!links && inlay_machine_family(machine) != INLAY_BUS) {
        return ""; /* there is no such platform, which the library says */
    }
    if (!known && !free_network) {
        return sized ? ",capacity=1msg/tick" : ",capacity=1msg/tick,message_size=1";
    }
    return known && !bytes && !sized ? ",message_size=1" : "";
}

/* The same machine with further attributes. */
static int with_attributes(const inlay_machine *machine, const char *attributes, platform *p, inlay_machine **result,
                           inlay_diag *diag)
{
    name_file(p, is_platform(machine) ? "/machine.xml" : "/machine.dot");
    int status = inlay_machine_write_as(machine, p->file, is_platform(machine) ? "simgrid" : "dot", 0, diag);
    if (status == INLAY_OK) {
        char request[PATH_MAX + ROOM];
        (void)snprintf(request, sizeof request, "%s%s", p->file, attributes);
        status = inlay_machine_read(request, result, diag);
    }
    (void)unlink(p->file);
    return status;
}

int simgrid_platform_write(const inlay_machine *machine, bool free_network, double tick_seconds, platform *result,
                           inlay_diag *diag)
{
    platform p = {0};
    inlay_machine *whole = NULL;
    const char *missing = missing_attributes(machine, free_network);
    int status = make_folder(&p);
    if (status == INLAY_OK && missing[0] != '\0') {
        status = with_attributes(machine, missing, &p, &whole, diag);
    }
    name_file(&p, "/platform.xml");
    if (status == INLAY_OK) {
        status = inlay_machine_write_as(whole != NULL ? whole : machine, p.file, "simgrid", tick_seconds, diag);
    }
    inlay_machine_free(whole);
    if (status != INLAY_OK) {
        simgrid_platform_remove(&p);
        return status;
    }
    *result = p;
    return INLAY_OK;
}

/* The platform file of a machine. */
#include "platform.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
    if (!links && inlay_machine_network(machine) != INLAY_NETWORK_BUS) {
        return ""; /* there is no such platform, which the library says */
    }
    if (!known && !free_network) {
        return sized ? ",capacity=1msg/tick" : ",capacity=1msg/tick,message_size=1";
    }
    return known && !bytes && !sized ? ",message_size=1" : "";
}

/* The same machine with further attributes. */
static int with_attributes(const inlay_machine *machine, const char *attributes, const folder *where,
                           inlay_machine **result, inlay_diag *diag)
{
    char path[PATH_MAX];
    const char *format = is_platform(machine) ? "simgrid" : "dot";
    folder_file(where, is_platform(machine) ? "machine.xml" : "machine.dot", path);
    int status = inlay_machine_write_as(machine, path, format, 0, diag);
    if (status == INLAY_OK) {
        char request[PATH_MAX + FOLDER_NAME];
        (void)snprintf(request, sizeof request, "%s%s", path, attributes);
        status = inlay_machine_read(request, result, diag);
    }
    (void)unlink(path);
    return status;
}

int platform_write(const inlay_machine *machine, bool free_network, double tick_seconds, const folder *where,
                   inlay_diag *diag)
{
    inlay_machine *whole = NULL;
    const char *missing = missing_attributes(machine, free_network);
    int status = missing[0] != '\0' ? with_attributes(machine, missing, where, &whole, diag) : INLAY_OK;
    if (status == INLAY_OK) {
        char path[PATH_MAX];
        status = inlay_machine_write_as(whole != NULL ? whole : machine, folder_file(where, PLATFORM_FILE, path),
                                        "simgrid", tick_seconds, diag);
    }
    inlay_machine_free(whole);
    return status;
}

int64_t platform_message_size(const inlay_machine *machine)
{
    int64_t size = inlay_machine_message_size(machine);
    return size > 0 ? size : 1;
}

char *platform_host(const inlay_machine *machine, inlay_id host, char name[INLAY_MACHINE_NAME])
{
    if (inlay_machine_has_links(machine)) {
        return inlay_machine_node_name(machine, host, name);
    }
    (void)snprintf(name, INLAY_MACHINE_NAME, "p%d", (int)host);
    return name;
}

double platform_seconds(const inlay_app *app, double given, double *tick_seconds)
{
    double own = inlay_unit_seconds(inlay_app_unit(app));
    *tick_seconds = given > 0 ? given : 0x1p-20;
    return own > 0 ? own : *tick_seconds;
}

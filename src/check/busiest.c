/* The links that the file lists: those that work longest for the messages. */
#include "check/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LISTED = 10, WHERE = 40 };

/* A link that messages go over. */
typedef struct used_link {
    inlay_id link;
    bool parallel;
    int64_t flows, traffic;
    long double works;
} used_link;

/* Every link once; flows that pass it twice count once. The number of those with flows goes to *count, which come first. */
static used_link *use_links(const check *k, size_t *count)
{
    inlay_id links = inlay_machine_links(k->machine);
    used_link *used = calloc((size_t)links + 1, sizeof *used);
    size_t *last = calloc((size_t)links + 1, sizeof *last);
    for (size_t f = 0; used && last && f < k->links.flows; f++)
        for (size_t at = k->links.flow[f].first; at < k->links.flow[f].end; at++) {
            inlay_id link = k->links.route[at];
            used[link].flows += last[link] != f + 1;
            used[link].traffic = check_add(used[link].traffic, k->links.flow[f].traffic);
            last[link] = f + 1;
        }
    *count = 0;
    for (inlay_id l = 0; used && l < links; l++) {
        if (used[l].flows == 0) continue;
        used[l].link = l;
        used[l].parallel = inlay_machine_link_at(k->machine, l).parallel;
        used[l].works = k->links.works[l];
        used[(*count)++] = used[l];
    }
    if (!last) {
        free(used);
        used = NULL;
    }
    free(last);
    return used;
}

static int compare_links(const void *a, const void *b)
{
    const used_link *x = a, *y = b;
    if (x->parallel != y->parallel) return x->parallel ? 1 : -1;
    return (x->works < y->works) - (x->works > y->works);
}

/* Of links that work as long as the one that should stand there, the order is free: one has that name and its figures. */
static bool is_said(const check *k, const json_t *said, const used_link *due, const used_link *used)
{
    char name[INLAY_MACHINE_NAME];
    const char *text = json_string_value(json_object_get(said, "name"));
    bool equal = used->parallel == due->parallel && fabsl(used->works - due->works) <= 1e-12L * due->works;
    return equal && text && strcmp(text, inlay_machine_link_name(k->machine, used->link, name)) == 0 &&
           json_integer_value(json_object_get(said, "flows")) == used->flows &&
           json_integer_value(json_object_get(said, "traffic")) == used->traffic;
}

static void compare_link(check *k, const json_t *said, size_t at, const used_link *used, size_t count)
{
    char where[WHERE];
    bool found = false;
    snprintf(where, sizeof where, "network.links[%zu]", at);
    if (!json_is_object(said)) {
        check_find(k, "%s is not an object", where);
        return;
    }
    for (size_t i = 0; i < count && !found; i++)
        found = is_said(k, said, &used[at], &used[i]);
    if (!found) check_find(k, "%s: no link of that name, flows and traffic comes there", where);
    double u = (double)(used[at].works / (k->saturated ? INFINITY : (long double)k->time_frame));
    check_number(k, where, said, "utilisation", u);
    check_number(k, where, said, "delay", used[at].parallel ? 1 : (double)check_link_delay(k, u));
    check_counted(k, 2);
}

int check_busiest(check *k, const json_t *network)
{
    size_t count = 0;
    if (!inlay_machine_has_links(k->machine)) {
        if (json_object_get(network, "links")) check_find(k, "network: the machine has no links");
        return INLAY_OK;
    }
    const json_t *said = check_field(k, "network", network, "links", CHECK_ARRAY);
    used_link *used = use_links(k, &count);
    if (!used) return INLAY_NO_MEMORY;
    qsort(used, count, sizeof *used, compare_links);
    size_t listed = count < MOST_LISTED ? count : MOST_LISTED;
    if (said && json_array_size(said) != listed)
        check_find(k, "network: there are %zu links to list, the file has %zu", listed, json_array_size(said));
    for (size_t at = 0; at < listed && at < json_array_size(said); at++)
        compare_link(k, json_array_get(said, at), at, used, count);
    free(used);
    return INLAY_OK;
}

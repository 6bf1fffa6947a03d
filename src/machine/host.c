/* This computer: hosts, cores and memory from hwloc, where Inlay is built with it. */
#include "machine/host.h"
#include "base/diag.h"

#ifdef INLAY_HWLOC

#include <hwloc.h>
#include <inttypes.h>

bool host_is_in(void)
{
    return true;
}

static int cores_of(hwloc_topology_t computer, hwloc_const_cpuset_t set)
{
    int cores = hwloc_get_nbobjs_inside_cpuset_by_type(computer, set, HWLOC_OBJ_CORE);
    return cores > 0 ? cores : hwloc_get_nbobjs_inside_cpuset_by_type(computer, set, HWLOC_OBJ_PU);
}

/* Objects of one type that have cores, each set of cores once: two NUMA nodes may stand beside the same cores. */
static int next_host(hwloc_topology_t computer, hwloc_obj_type_t type, int at, hwloc_obj_t *object)
{
    for (; (*object = hwloc_get_obj_by_type(computer, type, (unsigned)at)) != NULL; at++) {
        bool seen = cores_of(computer, (*object)->cpuset) == 0;
        for (int i = 0; i < at && !seen; i++) {
            seen = hwloc_bitmap_isequal(hwloc_get_obj_by_type(computer, type, (unsigned)i)->cpuset, (*object)->cpuset);
        }
        if (!seen) {
            break;
        }
    }
    return at;
}

static int count_hosts(hwloc_topology_t computer, hwloc_obj_type_t type)
{
    int hosts = 0;
    hwloc_obj_t object;
    for (int at = next_host(computer, type, 0, &object); object != NULL;
         at = next_host(computer, type, at + 1, &object)) {
        hosts++;
    }
    return hosts;
}

/* Memory of all NUMA nodes beside exactly these cores; a package has its share of a common one. */
static uint64_t memory_of(hwloc_topology_t computer, hwloc_obj_t object, hwloc_obj_type_t type, int hosts)
{
    if (type != HWLOC_OBJ_NUMANODE) {
        return hwloc_get_root_obj(computer)->total_memory / (uint64_t)(hosts > 1 ? hosts : 1);
    }
    uint64_t bytes = 0;
    for (hwloc_obj_t node = NULL; (node = hwloc_get_next_obj_by_type(computer, type, node)) != NULL;) {
        bytes += hwloc_bitmap_isequal(node->cpuset, object->cpuset) ? node->attr->numanode.local_memory : 0;
    }
    return bytes;
}

static hwloc_obj_type_t type_of_hosts(hwloc_topology_t computer)
{
    if (count_hosts(computer, HWLOC_OBJ_NUMANODE) > 1) {
        return HWLOC_OBJ_NUMANODE;
    }
    return count_hosts(computer, HWLOC_OBJ_PACKAGE) > 1 ? HWLOC_OBJ_PACKAGE : HWLOC_OBJ_MACHINE;
}

/* Returns the number of hosts. */
static int describe(hwloc_topology_t computer, text_buffer *to)
{
    hwloc_obj_type_t type = type_of_hosts(computer);
    int hosts = count_hosts(computer, type), host = 0;
    hwloc_obj_t object;
    for (int at = next_host(computer, type, 0, &object); object != NULL;
         at = next_host(computer, type, at + 1, &object)) {
        uint64_t memory = memory_of(computer, object, type, hosts);
        text_addf(to, "  p%d [cores=%d", host++, cores_of(computer, object->cpuset));
        if (memory > 0) {
            text_addf(to, ", memory=%" PRIu64, memory);
        }
        text_add(to, "];\n");
    }
    for (int a = 0; a < hosts; a++) {
        for (int b = a + 1; b < hosts; b++) {
            text_addf(to, "  p%d -- p%d;\n", a, b);
        }
    }
    return hosts;
}

static void warn(int hosts, inlay_diag *diag)
{
    if (hosts > 1) {
        diag_warn(diag,
                  "host: speeds are guesses, for nothing was measured: all cores count as equal, and messages between "
                  "the %d parts of this "
                  "computer are free without capacity= and link_latency=",
                  hosts);
    } else {
        diag_warn(diag, "host: speeds are guesses, for nothing was measured: all cores count as equal");
    }
}

int host_describe(text_buffer *to, inlay_diag *diag)
{
    hwloc_topology_t computer;
    if (hwloc_topology_init(&computer) != 0) {
        return diag_no_memory(diag);
    }
    int status = INLAY_OK;
    if (hwloc_topology_load(computer) != 0 || count_hosts(computer, HWLOC_OBJ_MACHINE) == 0) {
        status = diag_fail_at(diag, INLAY_SYSTEM, "host", 0,
                              "hwloc cannot tell what this computer consists of; expected a machine's file or string");
    } else {
        warn(describe(computer, to), diag);
    }
    hwloc_topology_destroy(computer);
    return status;
}

#else

bool host_is_in(void)
{
    return false;
}

int host_describe(text_buffer *to, inlay_diag *diag)
{
    (void)to;
    return diag_fail_at(diag, INLAY_BAD_ARGUMENT, "host", 0,
                        "this inlay was built without hwloc, which looks at the computer; expected a machine's file or "
                        "string, or a build where libhwloc-dev is installed");
}

#endif

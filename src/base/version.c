/* The library's version, and the optional parts that are in it. */
#include <inlay/inlay.h>

#ifdef INLAY_HWLOC
enum { HWLOC_IS_IN = 1 };
#else
enum { HWLOC_IS_IN = 0 };
#endif

#ifdef INLAY_SCOTCH
enum { SCOTCH_IS_IN = 1 };
#else
enum { SCOTCH_IS_IN = 0 };
#endif

#ifdef INLAY_YAML
enum { YAML_IS_IN = 1 };
#else
enum { YAML_IS_IN = 0 };
#endif

#ifdef INLAY_METIS
enum { METIS_IS_IN = 1 };
#else
enum { METIS_IS_IN = 0 };
#endif

static const inlay_extra extras[] = {
    {"hwloc", "this computer as a machine, host; lstopo's files", "libhwloc-dev", HWLOC_IS_IN},
    {"scotch", "map --layout scotch, --method scotch", "libscotch-dev", SCOTCH_IS_IN},
    {"yaml", "DSLab's files", "libyaml-dev", YAML_IS_IN},
    {"metis", "map --method metis", "libmetis-dev", METIS_IS_IN},
};

const char *inlay_version(void)
{
    return INLAY_VERSION;
}

size_t inlay_extras(void)
{
    return sizeof extras / sizeof *extras;
}

inlay_extra inlay_extra_at(size_t i)
{
    return extras[i];
}

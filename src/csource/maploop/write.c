/*
 * The text that is added to the program: what a rank holds of the arrays, and the steps of the paper in their order
 * (sections 3 and 4, Figures 3 and 4).
 */
#include "csource/maploop/loops.h"
#include <stdio.h>
#include <string.h>

static const char *size_name(const maploop *m, space_kind space)
{
    return m->program.variable[m->bound[space]].name;
}

/* ---- Helpers ---- */

static const char helpers_begin[] =
    "#include <inlay/irregular.h>\n"
    "#include <mpi.h>\n"
    "#include <stdint.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "\n"
    "/* ---- Added by `inlay maploop`: what a rank holds of the arrays, and how it is mapped ---- */\n"
    "\n"
    "static struct {\n"
    "    MPI_Comm comm;\n"
    "    int rank, ranks;\n"
    "    inlay_diag *diag;\n"
    "    inlay_halo *halo; /* ghosts, behind the own elements of arrays */\n"
    "    int said;         /* where messages of any rank go */\n"
    "} mapping;\n"
    "\n"
    "/* The entries of arrays of one size that this rank owns. */\n"
    "typedef struct share {\n"
    "    int64_t size;       /* of all ranks */\n"
    "    inlay_table *table; /* who owns which */\n"
    "    int32_t own;\n"
    "    int32_t inner;   /* iterations of the marked loop, the first ones, that need nothing of others */\n"
    "    int64_t *global; /* [own]: their numbers */\n"
    "} share;\n"
    "\n";

static const char helpers_must[] =
    "/* Ends all ranks. One of them speaks: where others fail too, rank 0 comes first. */\n"
    "static void mapping_fail(const char *what, int end)\n"
    "{\n"
    "    long write(int file, const void *bytes, size_t count);\n"
    "    const double until = MPI_Wtime() + (mapping.rank < 10 ? 0.2 * mapping.rank : 2);\n"
    "    char line[1024];\n"
    "    int length = snprintf(line, sizeof line, \"rank %d: %s\\n\", mapping.rank, what);\n"
    "    length = length < (int)sizeof line ? length : (int)sizeof line - 1;\n"
    "    while (MPI_Wtime() < until) {\n"
    "    }\n"
    "    if (length > 0 && write(mapping.said, line, (size_t)length) < 0) {\n"
    "        end = 3;\n"
    "    }\n"
    "    MPI_Abort(mapping.comm, end);\n"
    "}\n"
    "\n"
    "static void must(int status)\n"
    "{\n"
    "    if (status != INLAY_OK) {\n"
    "        mapping_fail(inlay_diag_message(mapping.diag), inlay_exit_status(status));\n"
    "    }\n"
    "}\n"
    "\n"
    "/* One rank without memory ends all. */\n"
    "static void *checked(void *memory)\n"
    "{\n"
    "    if (memory == NULL) {\n"
    "        mapping_fail(\"out of memory\", 3);\n"
    "    }\n"
    "    return memory;\n"
    "}\n"
    "\n"
    "/* Zeroed memory, to which no other pointer leads: the compiler may know. */\n"
    "__attribute__((malloc))\n"
    "static void *room(int64_t count, size_t bytes)\n"
    "{\n"
    "    return checked(calloc(count > 0 ? (size_t)count : 1, bytes));\n"
    "}\n"
    "\n"
    "static void share_set(share *s, inlay_table *table)\n"
    "{\n"
    "    inlay_table_free(s->table);\n"
    "    free(s->global);\n"
    "    s->table = table;\n"
    "    s->own = inlay_table_local(table);\n"
    "    s->global = room(s->own, sizeof *s->global);\n"
    "    inlay_table_globals(table, s->global);\n"
    "}\n"
    "\n"
    "static void share_blocks(share *s, int64_t size)\n"
    "{\n"
    "    inlay_table *table;\n"
    "    must(inlay_table_block(mapping.comm, size, &table, mapping.diag));\n"
    "    s->size = size;\n"
    "    share_set(s, table);\n"
    "}\n"
    "\n"
    "/* An array of `count` entries to which those of `from` have moved. */\n"
    "__attribute__((malloc))\n"
    "static void *moved(const inlay_schedule *schedule, void *from, int64_t count, size_t bytes)\n"
    "{\n"
    "    if (from == NULL) {\n"
    "        return NULL; /* free already */\n"
    "    }\n"
    "    void *to = room(count, bytes);\n"
    "    must(inlay_schedule_move(schedule, from, to, bytes, mapping.diag));\n"
    "    free(from);\n"
    "    return to;\n"
    "}\n"
    "\n";

static const char helpers_sum[] = "static int64_t sum_of_ranks(int64_t of_this_rank)\n"
                                  "{\n"
                                  "    int64_t sum;\n"
                                  "    MPI_Allreduce(&of_this_rank, &sum, 1, MPI_INT64_T, MPI_SUM, mapping.comm);\n"
                                  "    return sum;\n"
                                  "}\n"
                                  "\n";

static const char helpers_agreed[] = "/* What rank 0 was told. */\n"
                                     "static int64_t agreed(int64_t of_this_rank)\n"
                                     "{\n"
                                     "    MPI_Bcast(&of_this_rank, 1, MPI_INT64_T, 0, mapping.comm);\n"
                                     "    return of_this_rank;\n"
                                     "}\n"
                                     "\n";

static const char helpers_open[] = "#include <errno.h>\n"
                                   "\n"
                                   "/* Rank 0 writes the file; what others write goes nowhere. */\n"
                                   "static FILE *open_once(const char *path, const char *mode)\n"
                                   "{\n"
                                   "    errno = 0;\n"
                                   "    FILE *file = mapping.rank == 0 ? fopen(path, mode) : NULL;\n"
                                   "    int why[2] = {file == NULL, errno};\n"
                                   "    MPI_Bcast(why, 2, MPI_INT, 0, mapping.comm);\n"
                                   "    if (mapping.rank != 0 && !why[0]) {\n"
                                   "        file = fopen(\"/dev/null\", \"w\");\n"
                                   "        if (file == NULL) {\n"
                                   "            mapping_fail(\"/dev/null cannot be opened\", 3);\n"
                                   "        }\n"
                                   "    }\n"
                                   "    errno = why[1];\n"
                                   "    return file;\n"
                                   "}\n"
                                   "\n";

static const char helpers_read[] = "/* A file that one rank cannot open is open on none. */\n"
                                   "static FILE *open_all(FILE *file)\n"
                                   "{\n"
                                   "    int missing = file == NULL;\n"
                                   "    MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, mapping.comm);\n"
                                   "    if (missing && file != NULL) {\n"
                                   "        fclose(file);\n"
                                   "    }\n"
                                   "    return missing ? NULL : file;\n"
                                   "}\n"
                                   "\n"
                                   "#define fopen(path, mode) open_all(fopen(path, mode))\n";

static const char helpers_memory[] = "#define malloc(bytes) checked(malloc(bytes))\n"
                                     "#define calloc(count, bytes) checked(calloc(count, bytes))\n"
                                     "#define realloc(memory, bytes) checked(realloc(memory, bytes))\n"
                                     "#define strdup(text) checked(strdup(text))\n"
                                     "\n";

static const char helpers_sweep[] =
    "/* Times of the marked loop, in seconds, and of mapping it again. */\n"
    "static struct {\n"
    "    int mapped; /* how often */\n"
    "    int sweeps; /* since it was mapped last */\n"
    "    double began, seconds;\n"
    "    double before; /* a sweep before that */\n"
    "    double cost;\n"
    "} sweep;\n"
    "\n"
    "static void sweep_begin(void)\n"
    "{\n"
    "    sweep.began = MPI_Wtime();\n"
    "}\n"
    "\n"
    "static void sweep_end(void)\n"
    "{\n"
    "    sweep.seconds += MPI_Wtime() - sweep.began;\n"
    "    sweep.sweeps++;\n"
    "}\n"
    "\n"
    "/* What the last remap cost, and what a sweep took before and behind it, on the slowest rank. */\n"
    "static void sweep_report(void)\n"
    "{\n"
    "    double mean = sweep.sweeps > 0 ? sweep.seconds / sweep.sweeps : 0;\n"
    "    MPI_Allreduce(MPI_IN_PLACE, &mean, 1, MPI_DOUBLE, MPI_MAX, mapping.comm);\n"
    "    if (mapping.rank == 0 && sweep.mapped > 1) {\n"
    "        fprintf(stderr, \"remap %d: took %.3f ms; a sweep took %.3f ms before, and %.3f ms since\\n\", "
    "sweep.mapped - 1,\n"
    "                1e3 * sweep.cost, 1e3 * sweep.before, 1e3 * mean);\n"
    "    }\n"
    "    sweep.before = mean;\n"
    "    sweep.seconds = 0;\n"
    "    sweep.sweeps = 0;\n"
    "    sweep.mapped++;\n"
    "}\n"
    "\n"
    "/* The mesh as it is now, where its elements lie and where they go. */\n"
    "static void compare_parts(const inlay_graph *graph, const int32_t *part)\n"
    "{\n"
    "    inlay_partition_figures before, after;\n"
    "    int32_t *here = room(graph->rows, sizeof *here);\n"
    "    for (int32_t i = 0; i < graph->rows; i++) {\n"
    "        here[i] = mapping.rank;\n"
    "    }\n"
    "    must(inlay_partition_evaluate(graph, here, mapping.ranks, &before, mapping.diag));\n"
    "    must(inlay_partition_evaluate(graph, part, mapping.ranks, &after, mapping.diag));\n"
    "    free(here);\n"
    "    if (mapping.rank == 0 && sweep.mapped > 1) {\n"
    "        fprintf(stderr, \"remap %d: edge cut %lld -> %lld, ghosts %lld -> %lld\\n\", sweep.mapped - 1,\n"
    "                (long long)before.edge_cut, (long long)after.edge_cut, (long long)before.volume, (long "
    "long)after.volume);\n"
    "    }\n"
    "}\n"
    "\n";

static const char helpers_ghosts[] =
    "/* Zeroes what lies behind the own elements. */\n"
    "static void no_ghosts(void *value, size_t bytes)\n"
    "{\n"
    "    inlay_halo_figures figures = inlay_halo_figures_of(mapping.halo);\n"
    "    memset((char *)value + (size_t)figures.own * bytes, 0, (size_t)figures.ghosts * bytes);\n"
    "}\n"
    "\n";

static const char helpers_begin_end[] =
    "/* A rank that had no memory for MPI's own buffers cannot be reached, and all would wait for it for ever. */\n"
    "static void mapping_meet(void)\n"
    "{\n"
    "    const double until = MPI_Wtime() + 20;\n"
    "    MPI_Request all;\n"
    "    int met = 0;\n"
    "    MPI_Ibarrier(mapping.comm, &all);\n"
    "    while (!met && MPI_Wtime() < until) {\n"
    "        MPI_Test(&all, &met, MPI_STATUS_IGNORE);\n"
    "    }\n"
    "    if (!met) {\n"
    "        mapping_fail(\"the ranks do not reach each other; expected enough memory for MPI on each\", 3);\n"
    "    }\n"
    "}\n"
    "\n"
    "static void mapping_begin(void)\n"
    "{\n"
    "    int dup(int file);\n"
    "    MPI_Init(NULL, NULL);\n"
    "    mapping.comm = MPI_COMM_WORLD;\n"
    "    MPI_Comm_rank(mapping.comm, &mapping.rank);\n"
    "    MPI_Comm_size(mapping.comm, &mapping.ranks);\n"
    "    mapping.diag = inlay_diag_new();\n"
    "    mapping.said = dup(2);\n"
    "    /* Rank 0 prints. */\n"
    "    if (mapping.rank != 0 &&\n"
    "        (freopen(\"/dev/null\", \"w\", stdout) == NULL || freopen(\"/dev/null\", \"w\", stderr) == NULL)) {\n"
    "        mapping_fail(\"/dev/null cannot be opened\", 3);\n"
    "    }\n"
    "    mapping_meet();\n"
    "    atexit(mapping_end);\n"
    "}\n"
    "\n";

/* The first space of iterations, the second of elements. */
static space_kind space_at(const maploop *m, int i)
{
    return i == 0 ? SPACE_DATA : (m->bound[SPACE_ITERATIONS] >= 0 ? SPACE_ITERATIONS : SPACE_NONE);
}

static void write_local_name(const array *a, text_buffer *to)
{
    if (a->width > 0) {
        text_addf(to, "(*%s_local)[%d]", a->name, (int)a->width);
    } else {
        text_addf(to, "*%s_local", a->name);
    }
}

static void write_shares(const maploop *m, text_buffer *to)
{
    for (int i = 0; i < 2 && space_at(m, i) != SPACE_NONE; i++) {
        text_addf(to, "static share of_%s;\n", size_name(m, space_at(m, i)));
    }
    for (int i = 0; i < m->arrays; i++) {
        if (m->array[i].indexes) {
            text_addf(to, "static int32_t ");
            write_local_name(&m->array[i], to);
            text_addf(to, "; /* %s in numbers of this rank: own elements, and ghosts behind them */\n",
                      m->array[i].name);
        }
    }
    text_addf(to, "\n");
}

static void write_end(const maploop *m, text_buffer *to)
{
    text_addf(to, "static void mapping_end(void)\n{\n");
    if (m->marks.remap_line > 0) {
        text_addf(to, "    sweep_report();\n");
    }
    text_addf(to, "    inlay_halo_free(mapping.halo);\n");
    for (int i = 0; i < 2 && space_at(m, i) != SPACE_NONE; i++) {
        const char *name = size_name(m, space_at(m, i));
        text_addf(to, "    inlay_table_free(of_%s.table);\n    free(of_%s.global);\n", name, name);
    }
    for (int i = 0; i < m->arrays; i++) {
        if (m->array[i].indexes) {
            text_addf(to, "    free(%s_local);\n", m->array[i].name);
        }
    }
    text_addf(to, "    inlay_diag_free(mapping.diag);\n    MPI_Finalize();\n}\n\n");
}

void write_helpers(const maploop *m, text_buffer *to)
{
    text_addf(to, "%s%s%s%s%s%s%s%s%s/* ---- The program ---- */\n\n", helpers_begin, helpers_must,
              m->sums ? helpers_sum : "", m->agrees ? helpers_agreed : "", m->opens ? helpers_open : "",
              m->marks.remap_line > 0 ? helpers_sweep : "", m->needs_no_ghosts ? helpers_ghosts : "",
              m->reads ? helpers_read : "", helpers_memory);
}

void write_steps(const maploop *m, text_buffer *to)
{
    text_addf(to, "/* ---- Added by `inlay maploop`: the arrays of this program ---- */\n\n");
    write_shares(m, to);
    write_mapping(m, to);
    write_end(m, to);
    text_addf(to, "%s/* ---- The program ---- */\n\n", helpers_begin_end);
}

/* ---- map_loop() ---- */

void write_arguments(const maploop *m, text_buffer *to)
{
    for (int i = 0; i < m->arrays; i++) {
        text_addf(to, "%s&%s", i > 0 ? ", " : "", m->array[i].name);
    }
}

/* `double **x_at`, `int64_t (**nde_at)[2]`. */
static void write_parameters(const maploop *m, text_buffer *to)
{
    for (int i = 0; i < m->arrays; i++) {
        const array *a = &m->array[i];
        text_addf(to, "%s%s ", i > 0 ? ", " : "", a->element);
        if (a->width > 0) {
            text_addf(to, "(**%s_at)[%d]", a->name, (int)a->width);
        } else {
            text_addf(to, "**%s_at", a->name);
        }
    }
}

/* Arrays that tell the references, under their own names. */
static void write_names(const maploop *m, text_buffer *to)
{
    for (int i = 0; i < m->arrays; i++) {
        const array *a = &m->array[i];
        if (!a->indexes && i != m->starts) {
            continue;
        }
        if (a->width > 0) {
            text_addf(to, "    %s (*%s)[%d] = *%s_at;\n", a->element, a->name, (int)a->width, a->name);
        } else {
            text_addf(to, "    %s *%s = *%s_at;\n", a->element, a->name, a->name);
        }
    }
}

static void write_loop_head(const maploop *m, text_buffer *to)
{
    const char *i = m->program.variable[m->loop_variable].name;
    text_addf(to, "    for (int64_t %s = 0; %s < of_%s.own; %s++) {\n", i, i,
              size_name(m, m->bound[SPACE_ITERATIONS] >= 0 ? SPACE_ITERATIONS : SPACE_DATA), i);
}

/* An element of an array of indices, in numbers alone: what its source names may stand in main(). */
static void write_index(const maploop *m, const node *n, text_buffer *to)
{
    reference r;
    if (reference_find(m, n, &r)) {
        text_addf(to, "%s[%s]", m->array[r.array].name, m->program.variable[node_variable(r.subscript)].name);
        if (r.component != NULL) {
            text_addf(to, "[%lld]", (long long)bare(r.component)->value);
        }
    }
}

/* An edge of an iteration: `one` is no own element. */
static void write_link(const maploop *m, const link *k, text_buffer *to)
{
    const char *i = m->program.variable[m->loop_variable].name;
    const char *e = m->entry_variable >= 0 ? m->program.variable[m->entry_variable].name : "";
    const char *starts = m->starts >= 0 ? m->array[m->starts].name : "";
    if (k->in_row) {
        text_addf(to, "        for (int64_t %s = %s[%s]; %s < %s[%s + 1]; %s++) {\n    ", e, starts, i, e, starts, i,
                  e);
    }
    text_addf(to, "        must(inlay_rdg_add(rdg, ");
    if (k->one == NULL) {
        text_addf(to, "of_%s.global[%s]", size_name(m, SPACE_DATA), i);
    } else {
        write_index(m, k->one, to);
    }
    text_addf(to, ", &");
    write_index(m, k->other, to);
    text_addf(to, ", 1, mapping.diag)); /* eliminate_dup_edges */\n");
    if (k->in_row) {
        text_addf(to, "        }\n");
    }
}

static void write_graph(const maploop *m, text_buffer *to)
{
    text_addf(
        to,
        "    /* Section 3.1: the runtime data graph. An edge joins two elements where an iteration writes one and "
        "reads\n"
        "       the other (Figure 3). */\n"
        "    inlay_rdg *rdg;\n"
        "    inlay_graph *graph;\n"
        "    must(inlay_rdg_new(of_%s.size, of_%s.own, &rdg, mapping.diag)); /* init_rdg_hash_table */\n",
        size_name(m, SPACE_DATA), size_name(m, m->bound[SPACE_ITERATIONS] >= 0 ? SPACE_ITERATIONS : SPACE_DATA));
    write_loop_head(m, to);
    for (int i = 0; i < m->links; i++) {
        write_link(m, &m->link[i], to);
    }
    text_addf(to,
              "    }\n"
              "    must(inlay_rdg_generate(rdg, of_%s.table, &graph, mapping.diag)); /* generate_rdg */\n"
              "    inlay_rdg_free(rdg);\n\n",
              size_name(m, SPACE_DATA));
}

static void write_partition(const maploop *m, text_buffer *to)
{
    word w = m->marks.method;
    const char *name = w.to > w.from ? m->text + w.from : "ptscotch";
    int length = w.to > w.from ? (int)(w.to - w.from) : (int)strlen(name);
    text_addf(
        to,
        "    /* A partitioner cuts few edges; its parts become a translation table. */\n"
        "    const inlay_partition_options wanted = {.method = \"%.*s\", .parts = mapping.ranks, .empty = true};\n"
        "    const inlay_renumber_options near = {.how = INLAY_NUMBERING_RCM};\n"
        "    int32_t *part = room(graph->rows, sizeof *part);\n"
        "    inlay_table *parts, *elements;\n"
        "    must(inlay_partition(graph, &wanted, part, mapping.diag)); /* RDG_partitioner */\n"
        "    must(inlay_table_of_parts(of_%s.table, part, &parts, mapping.diag));\n"
        "    must(inlay_table_renumber(graph, parts, &near, &elements, NULL, mapping.diag)); /* neighbours near each "
        "other */\n"
        "    inlay_table_free(parts);\n",
        length, name, size_name(m, SPACE_DATA));
    if (m->marks.remap_line > 0) {
        text_addf(to, "    compare_parts(graph, part);\n");
    }
    text_addf(to, "    free(part);\n    inlay_graph_free(graph);\n\n");
}

/* *x_at = moved(...), with room for ghosts where it is an array of elements. */
static void write_move(const maploop *m, const array *a, const char *schedule, const char *count, text_buffer *to)
{
    bool named = a->indexes;
    (void)m;
    text_addf(to, "    *%s_at = %s%smoved(%s, *%s_at, %s, sizeof **%s_at);\n", a->name, named ? a->name : "",
              named ? " = " : "", schedule, a->name, count, a->name);
}

static void write_iterations(const maploop *m, text_buffer *to)
{
    static const char *const rules[] = {"INLAY_ITERATION_MAX_OWNER", "INLAY_ITERATION_OWNER",
                                        "INLAY_ITERATION_MAX_OWNER", "INLAY_ITERATION_BALANCED"};
    const char *n = size_name(m, SPACE_ITERATIONS), *i = m->program.variable[m->loop_variable].name;
    char count[128];
    text_addf(
        to,
        "    /* Section 3.2: the runtime iteration graph, the elements that each iteration touches (Figure 4). */\n"
        "    int64_t *touched = room(%d * (int64_t)of_%s.own, sizeof *touched);\n",
        m->touches, n);
    write_loop_head(m, to);
    for (int t = 0; t < m->touches; t++) {
        text_addf(to, "        touched[%d * %s + %d] = ", m->touches, i, t);
        write_index(m, m->touched[t], to);
        text_addf(to, ";\n");
    }
    text_addf(to,
              "    }\n"
              "    const inlay_rig rig = {\n"
              "        .iterations = of_%s.own, .iteration = of_%s.global, .touched = %d, .element = touched};\n"
              "    inlay_ripa *ripa;\n"
              "    inlay_iterations *mine;\n"
              "    inlay_table *iterations;\n"
              "    must(inlay_ripa_make(elements, &rig, &ripa, mapping.diag)); /* deref_rig */\n"
              "    must(inlay_iterations_make(elements, &rig, ripa, %s, 0.05, &mine,\n"
              "                               mapping.diag)); /* iteration_partitioner */\n"
              "    must(inlay_iterations_order(elements, mine, &of_%s.inner, mapping.diag));\n"
              "    must(inlay_table_owned(mapping.comm, of_%s.size, mine->iteration, mine->count, &iterations, "
              "mapping.diag));\n"
              "    inlay_iterations_free(mine);\n"
              "    inlay_ripa_free(ripa);\n"
              "    free(touched);\n\n"
              "    /* The arrays of iterations go to those who compute them. */\n"
              "    inlay_schedule *schedule;\n"
              "    must(inlay_remap(of_%s.table, iterations, &schedule, mapping.diag)); /* remap */\n"
              "    share_set(&of_%s, iterations);\n",
              n, n, m->touches, rules[m->marks.rule], n, n, n, n);
    (void)snprintf(count, sizeof count, "of_%s.own", n);
    for (int k = 0; k < m->arrays; k++) {
        if (m->array[k].space == SPACE_ITERATIONS) write_move(m, &m->array[k], "schedule", count, to);
    }
    text_addf(to, "    inlay_schedule_free(schedule);\n\n");
}

/* The array of entries that are columns: that through which the marked loop refers to others. */
static const array *columns(const maploop *m)
{
    for (int i = 0; i < m->arrays; i++) {
        if (m->array[i].space == SPACE_ENTRIES && m->array[i].indexes) return &m->array[i];
    }
    return NULL;
}

static void write_rows(const maploop *m, text_buffer *to)
{
    const array *starts = &m->array[m->starts], *cols = columns(m);
    char count[128];
    text_addf(
        to,
        "    /* The rows go to their new owners: schedule 1 moves arrays of entries, schedule 2 those of rows. */\n"
        "    inlay_csr *csr;\n"
        "    must(inlay_csr_remap(of_%s.table, elements, %s, %s, &csr, mapping.diag)); /* csr_remap */\n"
        "    free(%s);\n"
        "    free(%s);\n"
        "    *%s_at = %s = csr->start;\n"
        "    *%s_at = %s = csr->column;\n"
        "    csr->start = csr->column = NULL; /* kept */\n",
        size_name(m, SPACE_DATA), starts->name, cols->name, starts->name, cols->name, starts->name, starts->name,
        cols->name, cols->name);
    (void)snprintf(count, sizeof count, "%s[csr->rows]", starts->name);
    for (int i = 0; i < m->arrays; i++) {
        const array *a = &m->array[i];
        if (a->space == SPACE_ENTRIES && a != cols) write_move(m, a, "csr->entries", count, to);
    }
    text_addf(to, "\n");
}

/* How many references an array has, in numbers of its own type. */
static void write_count(const maploop *m, const array *a, text_buffer *to)
{
    if (a->space == SPACE_ENTRIES) {
        text_addf(to, "%s[csr->rows]", m->array[m->starts].name);
    } else if (a->space == SPACE_DATA) {
        text_addf(to, "inlay_table_local(elements)");
    } else {
        text_addf(to, "(int64_t)of_%s.own", size_name(m, a->space));
    }
}

static void write_localize(const maploop *m, const array *a, text_buffer *to)
{
    text_addf(to,
              "    /* References become numbers of this rank; elements of others get a place as ghosts. */\n"
              "    free(%s_local);\n"
              "    %s_local = room(",
              a->name, a->name);
    write_count(m, a, to);
    text_addf(to,
              ", sizeof *%s_local);\n"
              "    inlay_halo_free(mapping.halo);\n"
              "    mapping.halo = NULL;\n"
              "    must(inlay_halo_make(elements, %s%s, ",
              a->name, a->width > 0 ? "*" : "", a->name);
    if (a->width > 0) {
        text_addf(to, "%d * ", (int)a->width);
    }
    write_count(m, a, to);
    text_addf(to,
              ", %s%s_local, &mapping.halo,\n"
              "                         mapping.diag)); /* localize */\n\n",
              a->width > 0 ? "*" : "", a->name);
}

static void write_elements(const maploop *m, text_buffer *to)
{
    bool rows = m->starts >= 0;
    const char *n = size_name(m, SPACE_DATA);
    text_addf(to, "    /* The arrays of elements go to their new owners, with room for ghosts. */\n"
                  "    inlay_halo_figures figures = inlay_halo_figures_of(mapping.halo);\n");
    if (!rows) {
        text_addf(to, "    must(inlay_remap(of_%s.table, elements, &schedule, mapping.diag)); /* remap */\n", n);
    }
    text_addf(to, "    share_set(&of_%s, elements);\n", n);
    for (int i = 0; i < m->arrays; i++) {
        if (m->array[i].space == SPACE_DATA && i != m->starts) {
            write_move(m, &m->array[i], rows ? "csr->conformal" : "schedule", "figures.own + figures.ghosts", to);
        }
    }
    text_addf(to, rows ? "    inlay_csr_free(csr);\n" : "    inlay_schedule_free(schedule);\n");
}

static const array *only_index(const maploop *m)
{
    const array *found = NULL;
    for (int i = 0; i < m->arrays; i++) {
        found = m->array[i].indexes ? &m->array[i] : found;
    }
    return found;
}

void write_mapping(const maploop *m, text_buffer *to)
{
    text_addf(
        to,
        "/* Gives the elements to ranks as the loop on line %u uses them now, and its iterations to the ranks that "
        "own\n"
        "   most of what they touch. */\n"
        "static void map_loop(",
        m->loop->line);
    write_parameters(m, to);
    text_addf(to, ")\n{\n");
    if (m->marks.remap_line > 0) {
        text_addf(to, "    sweep_report();\n    const double began = MPI_Wtime();\n");
    }
    write_names(m, to);
    write_graph(m, to);
    write_partition(m, to);
    if (m->bound[SPACE_ITERATIONS] >= 0) {
        write_iterations(m, to);
    } else {
        write_rows(m, to);
    }
    write_localize(m, only_index(m), to);
    write_elements(m, to);
    if (m->marks.remap_line > 0) {
        text_addf(to, "    sweep.cost = MPI_Wtime() - began;\n");
    }
    text_addf(to, "}\n\n");
}

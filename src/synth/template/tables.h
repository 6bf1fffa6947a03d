/* Sample tables, with which program.c compiles as it stands: rank 0 sends ten messages, and rank 1 works on each. */
enum { RANKS = 2, LANES = 1 };
static const char application[] = "\"sample\"";
static const char inlay[] = "0.1.0";

static const struct work works[] = {
    {TIMED, 0, 0, 0, 0.001},
    {COUNTED, 1000000, 10000, 1048576, 0.001},
};
static const struct step steps[] = {
    {WORK, 0, 0, 0},
    {SEND, 1, 0, 100000},
    {RECEIVE, -1, 0, 100000},
    {WORK, 0, 0, 1},
};
static const struct loop loops[] = {
    {10, 2},
};
static const int32_t entries[] = {
    -1, 0, 1, -1, 2, 3,
};
static const int64_t sequence_begin[] = {0, 3, 6};
static const int32_t rank_sequence[] = {0, 1};
static const int32_t rank_processor[] = {0, 1};

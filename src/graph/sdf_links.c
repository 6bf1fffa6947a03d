/* Which firings wait for which, and how many iterations before: the positions of tokens in each channel, from end to end. */
#include "base/diag.h"
#include "base/memory.h"
#include "graph/sdf.h"

inlay_id sdf_actor_of(const inlay_sdf *sdf, int32_t firing)
{
    size_t low = 0, high = sdf->actors;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (sdf->actor[middle].first_firing <= firing) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (inlay_id)low;
}

/* The end of a channel where tokens are put: the firing whose tokens come next. */
typedef struct putter {
    const int64_t *rate;
    int32_t phases, firings;
    int32_t firing;     /* of the actor */
    int64_t iterations; /* before the one that takes them */
    int64_t left;       /* tokens of this firing */
} putter;

static void skip_empty(putter *p)
{
    while (p->left == 0) {
        p->firing++;
        if (p->firing == p->firings) {
            p->firing = 0;
            p->iterations--;
        }
        p->left = p->rate[p->firing % p->phases];
    }
}

/* Tokens that are there at first are those of iterations before. */
static putter begin_putting(const inlay_sdf *sdf, const sdf_channel *c)
{
    const sdf_actor *from = &sdf->actor[c->given.from];
    int64_t each = c->put * (from->repetitions / from->phases); /* an iteration */
    int64_t iterations = c->given.tokens / each + (c->given.tokens % each > 0);
    int64_t skip = iterations * each - c->given.tokens;
    putter p = {sdf->rate + c->produced, from->phases, (int32_t)from->repetitions, 0, iterations, 0};
    for (p.left = p.rate[0]; skip > 0;) {
        int64_t step = skip < p.left ? skip : p.left;
        skip -= step;
        p.left -= step;
        skip_empty(&p);
    }
    return p;
}

/* Links of one channel, as many as there is room for; @return how many. */
static size_t link_channel(const inlay_sdf *sdf, int32_t number, sdf_link *links)
{
    const sdf_channel *c = &sdf->channel[number];
    if (c->put == 0) {
        return 0;
    }
    const sdf_actor *from = &sdf->actor[c->given.from], *to = &sdf->actor[c->given.to];
    const int64_t *rate = sdf->rate + c->consumed;
    putter p = begin_putting(sdf, c);
    size_t made = 0;
    for (int32_t f = 0; f < to->repetitions; f++) {
        for (int64_t wanted = rate[f % to->phases]; wanted > 0;) {
            skip_empty(&p);
            int64_t taken = wanted < p.left ? wanted : p.left;
            links[made++] = (sdf_link){.from = from->first_firing + p.firing,
                                       .to = to->first_firing + f,
                                       .channel = number,
                                       .iterations = p.iterations,
                                       .tokens = taken};
            wanted -= taken;
            p.left -= taken;
        }
    }
    return made;
}

int sdf_links_make(const inlay_sdf *sdf, const char *source, sdf_link **links, size_t *count, inlay_diag *diag)
{
    int64_t room = 1;
    for (size_t c = 0; c < sdf->channels && room <= SDF_LINKS; c++) {
        const sdf_channel *channel = &sdf->channel[c];
        room += sdf->actor[channel->given.from].repetitions + sdf->actor[channel->given.to].repetitions;
    }
    if (room > SDF_LINKS) {
        return diag_fail_at(
            diag, INLAY_BAD_INPUT, source, 0,
            "the firings of an iteration of dataflow graph '%s' wait for each other more than %d times; "
            "expected at most so many",
            sdf->name, SDF_LINKS);
    }
    sdf_link *made = memory_array((size_t)room, sizeof *made);
    if (made == NULL) {
        return diag_no_memory(diag);
    }
    size_t used = 0;
    for (size_t c = 0; c < sdf->channels; c++) {
        used += link_channel(sdf, (int32_t)c, made + used);
    }
    *links = made;
    *count = used;
    return INLAY_OK;
}

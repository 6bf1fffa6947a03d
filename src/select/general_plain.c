/*
 * Questions that plain numbers say: a fast way to evaluate them, several times as fast. The exact method for networks is
 * the same for both, and tests hold the answers equal.
 */
#include "select/general.h"

/* Whether no two clusters that can be used share a network. */
static bool all_alone(const general_question *question)
{
    const inlay_metasystem *metasystem = question->metasystem;
    for (int32_t i = 0; metasystem->networks > 0 && i < question->clusters; i++) {
        for (int32_t j = 0; j < i; j++) {
            if (question->most[i] > 0 && question->most[j] > 0 &&
                metasystem->cluster[i].network == metasystem->cluster[j].network) {
                return false;
            }
        }
    }
    return true;
}

static bool is_plain_communication(const general_question *question)
{
    return question->communications == 0 ||
           (question->communications == 1 && question->communication[0].per_unit[0] == 0 &&
            !general_is_collective(&question->communication[0]));
}

bool general_is_plain(const general_question *question)
{
    return question->rows == 1 && question->computations == 1 && question->computation[0].per_unit[0] > 0 &&
           is_plain_communication(question) && question->ways.uniform && all_alone(question);
}

/* A cluster that cannot be used has no times that matter. */
static inlay_select_cluster unfold_cluster(const general_question *question, int32_t i)
{
    const inlay_metasystem_cluster *machine = &question->metasystem->cluster[i];
    inlay_select_cluster cluster = {.name = machine->name, .processors = question->most[i], .rate = 1};
    if (question->most[i] > 0) {
        cluster.rate = question->computation[0].speed[i];
    }
    if (question->most[i] > 0 && question->communications > 0) {
        const inlay_communication *c = &machine->communication[question->communication[0].pattern];
        cluster.c1 = c->c1;
        cluster.c2 = c->c2;
        cluster.c3 = c->c3;
        cluster.c4 = c->c4;
        cluster.growth = c->growth;
    }
    return cluster;
}

void general_unfold(const general_question *question, inlay_select_cluster *cluster, inlay_select_problem *problem)
{
    const general_computation *work = &question->computation[0];
    for (int32_t i = 0; i < question->clusters; i++) {
        cluster[i] = unfold_cluster(question, i);
    }
    *problem = (inlay_select_problem){.clusters = (size_t)question->clusters,
                                      .cluster = cluster,
                                      .units = question->units,
                                      .unit_work = work->per_unit[0],
                                      .fixed_work = work->fixed[0],
                                      .map = question->terms.map,
                                      .router = question->terms.router};
    if (question->communications > 0) {
        const general_communication *c = &question->communication[0];
        problem->bytes = c->fixed[0];
        problem->overlap = c->overlap == 0;
        problem->topology = c->pattern;
        problem->crossings = c->messages[0];
        problem->router_latency = question->ways.price.latency;
        problem->router_per_byte = question->ways.price.per_byte;
    }
}

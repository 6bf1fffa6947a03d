/* What a study has. */
#include "study/study.h"
#include "study/store.h"
#include <stdlib.h>

void inlay_study_free(inlay_study *study)
{
    if (study == NULL) {
        return;
    }
    store_free(study->store);
    for (size_t i = 0; i < study->applications; i++) {
        free(study->application[i].name);
        free(study->application[i].path);
        free(study->application[i].group);
    }
    for (size_t i = 0; i < study->machines; i++) {
        free(study->machine[i].name);
        free(study->machine[i].text);
    }
    for (size_t i = 0; i < study->variants; i++) {
        free(study->variant[i].name);
    }
    free(study->application);
    free(study->machine);
    free(study->variant);
    free(study->method);
    series_clear(&study->processors);
    series_clear(&study->seeds);
    free(study->folder);
    free(study->format);
    free(study->output);
    free(study->csv);
    free(study);
}

const char *inlay_study_output(const inlay_study *study)
{
    return study->output;
}

const char *inlay_study_csv(const inlay_study *study)
{
    return study->csv;
}

const char *inlay_study_digest(const inlay_study *study)
{
    return study->digest;
}

inlay_study_counts inlay_study_counts_of(const inlay_study *study)
{
    return (inlay_study_counts){(int64_t)study->applications, (int64_t)study->machines, study->processors.count,
                                (int64_t)study->methods,      (int64_t)study->variants, study->seeds.count};
}

int64_t inlay_study_points(const inlay_study *study)
{
    inlay_study_counts c = inlay_study_counts_of(study);
    return c.applications * c.machines * c.processors * c.methods * c.options * c.seeds;
}

/* ---- Numbers of points ---- */

study_place study_place_of(const inlay_study *study, int64_t point)
{
    study_place place;
    place.seed = point % study->seeds.count;
    point /= study->seeds.count;
    place.variant = (size_t)(point % (int64_t)study->variants);
    point /= (int64_t)study->variants;
    place.method = (size_t)(point % (int64_t)study->methods);
    point /= (int64_t)study->methods;
    place.processors = point % study->processors.count;
    point /= study->processors.count;
    place.machine = (size_t)(point % (int64_t)study->machines);
    place.application = (size_t)(point / (int64_t)study->machines);
    return place;
}

int64_t study_point_of(const inlay_study *study, const study_place *place)
{
    int64_t point = (int64_t)place->application * (int64_t)study->machines + (int64_t)place->machine;
    point = point * study->processors.count + place->processors;
    point = point * (int64_t)study->methods + (int64_t)place->method;
    point = point * (int64_t)study->variants + (int64_t)place->variant;
    return point * study->seeds.count + place->seed;
}

inlay_study_point inlay_study_point_at(const inlay_study *study, int64_t point)
{
    study_place place = study_place_of(study, point);
    const inlay_method *method = study->method[place.method];
    return (inlay_study_point){.point = point,
                               .application = study->application[place.application].name,
                               .group = study->application[place.application].group,
                               .machine = study->machine[place.machine].name,
                               .processors = (inlay_id)series_at(&study->processors, place.processors),
                               .method = method != NULL ? method->name : NULL,
                               .options = study->variant[place.variant].name,
                               .seed = series_at(&study->seeds, place.seed)};
}

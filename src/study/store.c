/* Applications and machines of a study, shared. */
#include "study/store.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "graph/app.h"
#include <inlay/inlay.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { TOLD = 5 /* of what cannot be read; the others are counted */ };
enum { ROOM = 10000000 /* modules and links that are kept, a gigabyte or so */ };

typedef struct kept_app {
    pthread_mutex_t reading;
    inlay_app *app;
    char *error;
    int64_t size; /* once it was read; 0: it cannot be */
    int users;    /* of the shelf's lock, as `app` where it goes */
    bool read;    /* once */
    char digest[65];
} kept_app;

/* A machine with the reference of its speeds: a list a machine, mostly of one. */
typedef struct kept_machine {
    struct kept_machine *next;
    double reference;
    inlay_machine *machine;
    char *error;
} kept_machine;

struct store {
    const inlay_study *study;
    kept_app *app;
    kept_machine **machine;
    pthread_mutex_t shelf;    /* what is kept, and how much */
    pthread_mutex_t machines; /* the lists */
    int64_t kept;
    size_t next;      /* where to look for something to put away */
    inlay_diag *said; /* under the shelf's lock */
    int64_t refused;  /* likewise: applications and machines that cannot be read */
};

/* ---- Making ---- */

store *store_new(const inlay_study *study)
{
    store *s = memory_zeroed(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->study = study;
    s->app = memory_zeroed(study->applications, sizeof *s->app);
    s->machine = memory_zeroed(study->machines, sizeof *s->machine);
    s->said = inlay_diag_new();
    pthread_mutex_init(&s->shelf, NULL);
    pthread_mutex_init(&s->machines, NULL);
    for (size_t i = 0; s->app != NULL && i < study->applications; i++) {
        pthread_mutex_init(&s->app[i].reading, NULL);
    }
    if (s->app == NULL || s->machine == NULL || s->said == NULL) {
        store_free(s);
        return NULL;
    }
    inlay_diag_keep_warnings(s->said, true);
    return s;
}

void store_free(store *s)
{
    if (s == NULL) {
        return;
    }
    for (size_t i = 0; s->app != NULL && i < s->study->applications; i++) {
        inlay_app_free(s->app[i].app);
        free(s->app[i].error);
        pthread_mutex_destroy(&s->app[i].reading);
    }
    for (size_t i = 0; s->machine != NULL && i < s->study->machines; i++) {
        for (kept_machine *m = s->machine[i], *next; m != NULL; m = next) {
            next = m->next;
            inlay_machine_free(m->machine);
            free(m->error);
            free(m);
        }
    }
    pthread_mutex_destroy(&s->shelf);
    pthread_mutex_destroy(&s->machines);
    inlay_diag_free(s->said);
    free(s->app);
    free(s->machine);
    free(s);
}

/* ---- Warnings ---- */

static void keep_warnings(store *s, const char *name, const inlay_diag *diag, const char *error)
{
    pthread_mutex_lock(&s->shelf);
    for (size_t i = 0; i < inlay_diag_warnings(diag); i++) {
        inlay_diag_add_warning(s->said, inlay_diag_warning(diag, i));
    }
    if (error != NULL && s->refused++ < TOLD) {
        diag_warn(s->said, "all points with %s fail: %s", name, error);
    }
    pthread_mutex_unlock(&s->shelf);
}

void store_warnings(store *s, inlay_diag *diag)
{
    pthread_mutex_lock(&s->shelf);
    for (size_t i = 0; i < inlay_diag_warnings(s->said); i++) {
        inlay_diag_add_warning(diag, inlay_diag_warning(s->said, i));
    }
    if (s->refused > TOLD) {
        diag_warn(diag, "%lld more applications and machines cannot be read: their points fail",
                  (long long)(s->refused - TOLD));
    }
    pthread_mutex_unlock(&s->shelf);
}

/* Why something cannot be read, as a text of its own; NULL when out of memory. */
static char *error_of(int status, const inlay_diag *diag)
{
    const char *message = inlay_diag_message(diag);
    return memory_string(*message != '\0' ? message : inlay_status_text(status));
}

/* ---- Applications ---- */

static int read_app(const inlay_study *study, const study_application *of, inlay_app **app, inlay_diag *diag)
{
    return of->path != NULL ? inlay_app_read(of->path, study->format, app, diag)
                            : inlay_generate(&of->generate, app, diag);
}

/* What it is made of, also where it cannot be read. */
static void find_digest(kept_app *k, const study_application *of)
{
    file_content content;
    if (k->app != NULL && k->app->sha256[0] != '\0') {
        strcpy(k->digest, k->app->sha256);
    } else if (of->path != NULL && file_read_raw(of->path, &content, NULL) == INLAY_OK) {
        sha256_hex(content.data, content.size, k->digest);
        file_content_clear(&content);
    } else {
        sha256_hex(of->name, strlen(of->name), k->digest);
    }
}

/* Put away what nobody uses, until there is room. Under the shelf's lock. */
static void make_room(store *s, const kept_app *needed)
{
    for (size_t tried = 0; s->kept > ROOM && tried < s->study->applications; tried++) {
        kept_app *k = &s->app[s->next];
        s->next = (s->next + 1) % s->study->applications;
        if (k != needed && k->users == 0 && k->app != NULL) {
            inlay_app_free(k->app);
            k->app = NULL;
            s->kept -= k->size;
        }
    }
}

/* Under the lock of its reading. */
static int load(store *s, size_t application)
{
    kept_app *k = &s->app[application];
    const study_application *of = &s->study->application[application];
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = diag == NULL ? INLAY_NO_MEMORY : read_app(s->study, of, &app, diag);
    if (status != INLAY_OK && status != INLAY_NO_MEMORY && (k->error = error_of(status, diag)) != NULL) {
        status = INLAY_OK;
    }
    if (status == INLAY_OK && !k->read) {
        keep_warnings(s, of->name, diag, k->error);
    }
    inlay_diag_free(diag);
    pthread_mutex_lock(&s->shelf);
    if (status == INLAY_OK) {
        k->app = app;
        if (!k->read) { /* others look at it afterwards */
            k->size = app == NULL ? 0 : inlay_app_modules(app) + inlay_app_links(app);
        }
        s->kept += k->size;
        make_room(s, k);
    }
    pthread_mutex_unlock(&s->shelf);
    if (status == INLAY_OK && !k->read) {
        find_digest(k, of);
        k->read = true;
    }
    return status;
}

int store_take_app(store *s, size_t application, stored *of)
{
    kept_app *k = &s->app[application];
    pthread_mutex_lock(&k->reading);
    pthread_mutex_lock(&s->shelf);
    k->users++;
    bool there = k->app != NULL || k->error != NULL;
    pthread_mutex_unlock(&s->shelf);
    int status = there ? INLAY_OK : load(s, application);
    *of = (stored){.app = k->app, .error = k->error};
    pthread_mutex_unlock(&k->reading);
    if (status != INLAY_OK) {
        store_give_app(s, application);
    }
    return status;
}

void store_give_app(store *s, size_t application)
{
    pthread_mutex_lock(&s->shelf);
    s->app[application].users--;
    pthread_mutex_unlock(&s->shelf);
}

double store_size(const store *s, size_t application)
{
    return (double)s->app[application].size;
}

const char *store_app_digest(const store *s, size_t application)
{
    return s->app[application].digest;
}

/* ---- Machines ---- */

int store_read_machine(const char *text, double reference, inlay_machine **machine, inlay_diag *diag)
{
    int status = inlay_machine_read(text, machine, diag);
    return status == INLAY_OK && reference > 0 ? inlay_machine_refer(*machine, reference, diag) : status;
}

static int read_machine(store *s, size_t machine, double reference, kept_machine *k)
{
    const study_machine *of = &s->study->machine[machine];
    inlay_diag *diag = inlay_diag_new();
    if (diag == NULL) {
        return INLAY_NO_MEMORY;
    }
    inlay_diag_keep_warnings(diag, true);
    int status = store_read_machine(of->text, reference, &k->machine, diag);
    if (status != INLAY_OK && status != INLAY_NO_MEMORY) {
        inlay_machine_free(k->machine);
        k->machine = NULL;
        k->error = error_of(status, diag);
        status = k->error != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    }
    if (status == INLAY_OK) {
        keep_warnings(s, of->name, diag, k->error);
    }
    inlay_diag_free(diag);
    return status;
}

static bool same(double a, double b)
{
    return !(a < b) && !(a > b);
}

/* Under the lock of the lists. */
static int find_machine(store *s, size_t machine, double reference, kept_machine **found)
{
    for (kept_machine *k = s->machine[machine]; k != NULL; k = k->next) {
        if (same(k->reference, reference)) {
            *found = k;
            return INLAY_OK;
        }
    }
    kept_machine *made = memory_zeroed(1, sizeof *made);
    if (made == NULL) {
        return INLAY_NO_MEMORY;
    }
    int status = read_machine(s, machine, reference, made);
    if (status != INLAY_OK) {
        inlay_machine_free(made->machine);
        free(made->error);
        free(made);
        return status;
    }
    made->reference = reference;
    made->next = s->machine[machine];
    s->machine[machine] = *found = made;
    return INLAY_OK;
}

/* As `inlay map` does: what the study or the application says is of no use to speeds without a unit. */
int store_take_machine(store *s, size_t machine, double reference, stored *of)
{
    kept_machine *k = NULL;
    pthread_mutex_lock(&s->machines);
    int status = find_machine(s, machine, 0, &k);
    bool refers = status == INLAY_OK && reference > 0 && k->machine != NULL;
    if (refers && (s->study->reference > 0 || inlay_machine_flops(k->machine, NULL))) {
        status = find_machine(s, machine, reference, &k);
    }
    pthread_mutex_unlock(&s->machines);
    if (status == INLAY_OK) {
        *of = (stored){.machine = k->machine, .error = k->error, .reference = k->reference};
    }
    return status;
}

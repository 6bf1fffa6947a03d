#ifndef HEADER_LOOP_H
#define HEADER_LOOP_H
typedef struct { double pos, vel, force; } body_t;
typedef struct { int a, b; double k; } link_t;
enum { MOST = 512 };
extern body_t body[MOST];
extern link_t link_of[MOST];
extern int bodies, links;
void setup(void);
static inline void pull(body_t *p, body_t *q, double k)
{
    double f = k * (q->pos - p->pos);
    p->force += f;
    q->force -= f;
}
static inline void move(body_t *b, double dt)
{
    b->vel += dt * b->force;
    b->pos += dt * b->vel;
    b->force = 0;
}
#endif

/* One lock for all libraries that do not lock themselves. */
#include "base/turn.h"
#include <pthread.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

void turn_take(void)
{
    pthread_mutex_lock(&one_at_a_time);
}

void turn_give(void)
{
    pthread_mutex_unlock(&one_at_a_time);
}

/* Peterson with two statements exchanged: the turn is given away before the wish is announced. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_bool wants[2];
static atomic_int turn;
static int inside;

static void *worker(void *arg)
{
    int self = (int)(intptr_t)arg, other = 1 - self;
    for (int round = 0; round < 2; round++) {
        atomic_store(&turn, other);
        atomic_store(&wants[self], 1);
        while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
            ;
        inside++;
        assert(inside == 1); /* found here */
        inside--;
        atomic_store(&wants[self], 0);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)(intptr_t)0);
    pthread_create(&b, NULL, worker, (void *)(intptr_t)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

/* A lock made of an atomic flag. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static long total;

static void add(long amount)
{
    while (atomic_flag_test_and_set(&flag))
        ;
    total += amount;
    atomic_flag_clear(&flag);
}

static void *worker(void *arg)
{
    add((long)arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)3);
    pthread_create(&b, NULL, worker, (void *)4);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(total == 7);
    return 0;
}

/* Mutual exclusion by flags that are looked at before they are set. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int busy[2];
static int inside;

static void enter(int self)
{
    while (busy[1 - self])
        ;
    busy[self] = 1;
}

static void leave(int self)
{
    busy[self] = 0;
}

static void *worker(void *arg)
{
    int self = *(int *)arg;
    enter(self);
    inside++;
    assert(inside == 1); /* found here */
    inside--;
    leave(self);
    return NULL;
}

int main(void)
{
    int number[2] = { 0, 1 };
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &number[0]);
    pthread_create(&b, NULL, worker, &number[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

/* A lock-free stack whose top is compared by its number alone: it may have been away and come back (ABA). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NONE 0
#define NODES 3

static atomic_int top = 1;                              /* 1 -> 2 -> 3 */
static atomic_int next[NODES + 1] = { NONE, 2, 3, NONE };
static atomic_int owned[NODES + 1];

static int pop(void)
{
    int node, below;
    do {
        node = atomic_load(&top);
        if (node == NONE)
            return NONE;
        below = atomic_load(&next[node]);
    } while (!atomic_compare_exchange_strong(&top, &node, below));
    int before = atomic_fetch_add(&owned[node], 1);
    assert(before == 0); /* found here */
    return node;
}

static void push(int node)
{
    int old;
    atomic_fetch_sub(&owned[node], 1);
    do {
        old = atomic_load(&top);
        atomic_store(&next[node], old);
    } while (!atomic_compare_exchange_strong(&top, &old, node));
}

static void *one(void *arg)
{
    pop();
    pop();
    return NULL;
}

static void *two(void *arg)
{
    int a = pop();
    pop();
    if (a != NONE)
        push(a);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

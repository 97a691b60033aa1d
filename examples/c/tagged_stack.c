/* The same stack with a count in its top: who has been away is noticed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NONE 0
#define NODES 3
#define NODE(top) ((top) & 7)
#define WITH(top, node) ((((top) >> 3) + 1) << 3 | (node))

static atomic_int top = 1;                              /* 1 -> 2 -> 3 */
static atomic_int next[NODES + 1] = { NONE, 2, 3, NONE };
static atomic_int owned[NODES + 1];

static int pop(void)
{
    int old, below;
    do {
        old = atomic_load(&top);
        if (NODE(old) == NONE)
            return NONE;
        below = atomic_load(&next[NODE(old)]);
    } while (!atomic_compare_exchange_strong(&top, &old, WITH(old, below)));
    int before = atomic_fetch_add(&owned[NODE(old)], 1);
    assert(before == 0);
    return NODE(old);
}

static void push(int node)
{
    int old;
    atomic_fetch_sub(&owned[node], 1);
    do {
        old = atomic_load(&top);
        atomic_store(&next[node], NODE(old));
    } while (!atomic_compare_exchange_strong(&top, &old, WITH(old, node)));
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

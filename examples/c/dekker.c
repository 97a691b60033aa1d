/* Dekker's mutual exclusion: who meets the other steps back if it is not his turn. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static _Atomic bool wants_a, wants_b;
static _Atomic int turn;
static int inside;

static void *first(void *arg)
{
    wants_a = true;
    while (wants_b) {
        if (turn != 0) {
            wants_a = false;
            while (turn != 0)
                ;
            wants_a = true;
        }
    }
    inside++;
    assert(inside == 1);
    inside--;
    turn = 1;
    wants_a = false;
    return NULL;
}

static void *second(void *arg)
{
    wants_b = true;
    while (wants_a) {
        if (turn != 1) {
            wants_b = false;
            while (turn != 1)
                ;
            wants_b = true;
        }
    }
    inside++;
    assert(inside == 1);
    inside--;
    turn = 0;
    wants_b = false;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

/* A function with a static buffer is used by two threads. */
#include <assert.h>
#include <pthread.h>

static int doubled(int number)
{
    static int buffer;
    buffer = number;
    return buffer + buffer;
}

static void *worker(void *arg)
{
    int number = *(int *)arg;
    assert(doubled(number) == 2 * number); /* found here */
    return NULL;
}

int main(void)
{
    static int one = 1, two = 2;
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &one);
    pthread_create(&b, NULL, worker, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

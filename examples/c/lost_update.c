/* Two threads count without a lock: an update can be lost. */
#include <assert.h>
#include <pthread.h>

int count;

void *worker(void *arg)
{
    count++;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2); /* found here */
    return 0;
}

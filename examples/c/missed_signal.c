/* A signal that comes before the wait is lost: the waiter may sleep for ever. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&done);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&done, &lock); /* found here */
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    return 0;
}

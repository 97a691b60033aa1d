/* What is signalled is remembered in a variable, and looked at before every wait. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool finished;
static int result;

static void *worker(void *arg)
{
    result = 42;
    pthread_mutex_lock(&lock);
    finished = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    while (!finished)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    assert(result == 42);
    pthread_join(a, NULL);
    return 0;
}

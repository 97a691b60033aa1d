/* Double-checked initialisation with a flag that is set too early. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static int width;
static _Atomic bool ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void initialise(void)
{
    if (ready)
        return;
    pthread_mutex_lock(&lock);
    if (!ready) {
        ready = true;
        width = 4;
    }
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
    initialise();
    assert(width == 4); /* found here */
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

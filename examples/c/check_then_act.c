/* The last ticket is sold twice: what was checked under the lock is no longer true when it is used. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static int tickets = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool available(void)
{
    pthread_mutex_lock(&lock);
    bool result = tickets > 0;
    pthread_mutex_unlock(&lock);
    return result;
}

static void sell(void)
{
    pthread_mutex_lock(&lock);
    tickets--;
    assert(tickets >= 0); /* found here */
    pthread_mutex_unlock(&lock);
}

static void *counter(void *arg)
{
    if (available())
        sell();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, counter, NULL);
    pthread_create(&b, NULL, counter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

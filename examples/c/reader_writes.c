/* A statistic is counted under a lock that several readers hold at once. */
#include <assert.h>
#include <pthread.h>

static int value, lookups;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static int lookup(void)
{
    int result;
    pthread_rwlock_rdlock(&lock);
    result = value;
    lookups++;
    pthread_rwlock_unlock(&lock);
    return result;
}

static void *reader(void *arg)
{
    if (lookup() > 0)
        pthread_exit(NULL);
    return NULL;
}

int main(void)
{
    pthread_t r[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&r[i], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(r[i], NULL);
    assert(lookups == 2); /* found here */
    return 0;
}

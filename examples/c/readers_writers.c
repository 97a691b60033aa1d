/* Readers see both halves of a pair, or neither half changed. */
#include <assert.h>
#include <pthread.h>

static struct { int left, right; } pair;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    pair.left++;
    pair.right++;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    assert(pair.left == pair.right);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t w[2], r[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&w[i], NULL, writer, NULL);
        pthread_create(&r[i], NULL, reader, NULL);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(w[i], NULL);
        pthread_join(r[i], NULL);
    }
    assert(pair.left == 2 && pair.right == 2);
    return 0;
}

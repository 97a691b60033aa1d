/* A queue with `if` where `while` should stand: of two consumers one finds it empty after all. */
#include <assert.h>
#include <pthread.h>

static int length;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

static void *producer(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        length++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *consumer(void *arg)
{
    pthread_mutex_lock(&lock);
    if (length == 0)
        pthread_cond_wait(&not_empty, &lock);
    assert(length > 0); /* found here */
    length--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t p, c[2];
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c[0], NULL, consumer, NULL);
    pthread_create(&c[1], NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c[0], NULL);
    pthread_join(c[1], NULL);
    return 0;
}

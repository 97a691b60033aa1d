/* A bounded queue with two condition variables: nothing is lost, doubled or out of order. */
#include <assert.h>
#include <pthread.h>

#define ROOM 2
#define ITEMS 3

struct queue {
    int item[ROOM];
    unsigned head, tail, length;
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
};

static struct queue queue = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .not_empty = PTHREAD_COND_INITIALIZER,
    .not_full = PTHREAD_COND_INITIALIZER,
};

static void put(struct queue *q, int item)
{
    pthread_mutex_lock(&q->lock);
    while (q->length == ROOM)
        pthread_cond_wait(&q->not_full, &q->lock);
    q->item[q->tail] = item;
    q->tail = (q->tail + 1) % ROOM;
    q->length++;
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->lock);
}

static void take(struct queue *q, int *item)
{
    pthread_mutex_lock(&q->lock);
    while (q->length == 0)
        pthread_cond_wait(&q->not_empty, &q->lock);
    *item = q->item[q->head];
    q->head = (q->head + 1) % ROOM;
    q->length--;
    pthread_cond_signal(&q->not_full);
    pthread_mutex_unlock(&q->lock);
}

static void *producer(void *arg)
{
    for (int i = 1; i <= ITEMS; i++)
        put(&queue, i);
    return NULL;
}

static void *consumer(void *arg)
{
    for (int i = 1; i <= ITEMS; i++) {
        int item;
        take(&queue, &item);
        assert(item == i);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(queue.length == 0);
    return 0;
}

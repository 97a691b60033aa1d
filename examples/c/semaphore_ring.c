/* A ring buffer between one producer and one consumer, with two semaphores. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

enum { ROOM = 2, ITEMS = 4 };

static unsigned char ring[ROOM];
static sem_t full, empty;

static void *producer(void *arg)
{
    for (size_t i = 0; i < ITEMS; i++) {
        sem_wait(&empty);
        ring[i % ROOM] = (unsigned char)(i + 254);
        sem_post(&full);
    }
    return NULL;
}

static void *consumer(void *arg)
{
    for (size_t i = 0; i < ITEMS; i++) {
        sem_wait(&full);
        unsigned char item = ring[i % ROOM];
        sem_post(&empty);
        assert(item == (i + 254) % 256);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, ROOM);
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

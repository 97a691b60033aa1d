/* Something that is done once, however many threads ask for it. */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made, table[4];

static void make(void)
{
    for (int i = 0; i < 4; i++)
        table[i] = i * i;
    made++;
}

static void *worker(void *arg)
{
    pthread_once(&once, make);
    assert(table[3] == 9);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(made == 1);
    return 0;
}

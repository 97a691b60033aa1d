/* Double-checked initialisation with an atomic flag that is set last. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct settings {
    int width, height;
};

static struct settings settings;
static _Atomic bool ready;
static int created;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct settings *instance(void)
{
    if (!atomic_load(&ready)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load(&ready)) {
            settings.width = 4;
            settings.height = 3;
            created++;
            atomic_store(&ready, true);
        }
        pthread_mutex_unlock(&lock);
    }
    return &settings;
}

static void *worker(void *arg)
{
    instance();
    assert(settings.width == 4 && settings.height == 3);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(created == 1);
    return 0;
}

/* An early return that has unlocked already falls into the common end. */
#include <pthread.h>

static int stock = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int buy(void)
{
    int status = 0;
    pthread_mutex_lock(&lock);
    if (stock == 0) {
        status = -1;
        pthread_mutex_unlock(&lock);
        goto out;
    }
    stock--;
out:
    pthread_mutex_unlock(&lock); /* found here */
    return status;
}

static void *customer(void *arg)
{
    buy();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, customer, NULL);
    pthread_create(&b, NULL, customer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

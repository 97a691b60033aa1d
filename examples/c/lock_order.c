/* Two accounts, each with its own lock, taken in two orders: a deadlock. */
#include <assert.h>
#include <pthread.h>

struct account {
    int balance;
    pthread_mutex_t lock;
};

static struct account alice = { 10, PTHREAD_MUTEX_INITIALIZER };
static struct account bob = { 10, PTHREAD_MUTEX_INITIALIZER };

static void transfer(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock); /* found here */
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *there(void *arg)
{
    transfer(&alice, &bob, 3);
    return NULL;
}

static void *back(void *arg)
{
    transfer(&bob, &alice, 2);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, there, NULL);
    pthread_create(&b, NULL, back, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(alice.balance + bob.balance == 20);
    return 0;
}

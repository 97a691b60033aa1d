/* Two accounts, each with its own lock, always taken in the same order. */
#include <assert.h>
#include <pthread.h>

struct account {
    int balance;
    pthread_mutex_t lock;
};

static struct account alice = { 10, PTHREAD_MUTEX_INITIALIZER };
static struct account bob = { 10, PTHREAD_MUTEX_INITIALIZER };

static void transfer(struct account *from, struct account *to, struct account *first, struct account *second, int amount)
{
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *there(void *arg)
{
    transfer(&alice, &bob, &alice, &bob, 3);
    return NULL;
}

static void *back(void *arg)
{
    transfer(&bob, &alice, &alice, &bob, 2);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, there, NULL);
    pthread_create(&b, NULL, back, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(alice.balance == 9 && bob.balance == 11);
    return 0;
}

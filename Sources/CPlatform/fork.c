#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "CFork.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

uint32_t flux_fork_counter;

// The lock is held during a fork, so the child finds the array whole and unlocked.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int *descriptors;
static int count;
static int capacity;

static void before_fork(void) { pthread_mutex_lock(&lock); }

static void after_fork_in_parent(void) { pthread_mutex_unlock(&lock); }

// Calls only what POSIX allows in the child of a process with threads. The numbers stay taken, because objects
// of the parent still have them: closing one later must not close a file that the child opened.
static void after_fork_in_child(void) {
  int saved = errno;
  __atomic_fetch_add(&flux_fork_counter, 1, __ATOMIC_RELAXED);
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int index = 0; index < count; index++) {
    if (nothing < 0) {
      close(descriptors[index]);
    } else if (dup2(nothing, descriptors[index]) >= 0) {
      fcntl(descriptors[index], F_SETFD, FD_CLOEXEC);
    }
  }
  if (nothing >= 0) close(nothing);
  count = 0;
  pthread_mutex_unlock(&lock);
  errno = saved;
}

static void watch(void) {
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void flux_fork_add(int descriptor) {
  pthread_once(&once, watch);
  pthread_mutex_lock(&lock);
  if (count == capacity) {
    int larger = capacity == 0 ? 16 : 2 * capacity;
    int *moved = realloc(descriptors, (size_t)larger * sizeof(int));
    if (moved != NULL) {
      descriptors = moved;
      capacity = larger;
    }
  }
  // Without memory, the child keeps the descriptor; it writes nothing to it all the same.
  if (count < capacity) descriptors[count++] = descriptor;
  pthread_mutex_unlock(&lock);
}

void flux_fork_remove(int descriptor) {
  pthread_mutex_lock(&lock);
  for (int index = 0; index < count; index++) {
    if (descriptors[index] != descriptor) continue;
    descriptors[index] = descriptors[--count];
    break;
  }
  pthread_mutex_unlock(&lock);
}

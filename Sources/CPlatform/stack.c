#if defined(__linux__) && !defined(_GNU_SOURCE)
// For pthread_getattr_np.
#define _GNU_SOURCE
#endif

#include "CStack.h"

#include <pthread.h>

uintptr_t flux_stack_end(void) {
#if defined(__APPLE__)
  pthread_t thread = pthread_self();
  return (uintptr_t)pthread_get_stackaddr_np(thread) - pthread_get_stacksize_np(thread);
#elif defined(__linux__)
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return UINTPTR_MAX;
  void *end = NULL;
  size_t size = 0;
  int failure = pthread_attr_getstack(&attributes, &end, &size);
  pthread_attr_destroy(&attributes);
  return failure == 0 ? (uintptr_t)end : UINTPTR_MAX;
#else
  return UINTPTR_MAX;
#endif
}

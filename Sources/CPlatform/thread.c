#if defined(__linux__) && !defined(_GNU_SOURCE)
// For pthread_setname_np.
#define _GNU_SOURCE
#endif

#include "CThread.h"

#include <pthread.h>
#if defined(__APPLE__)
#include <pthread/qos.h>
#else
#include <string.h>
#endif

int flux_thread_start(size_t stack_size, int quality, void *(*body)(void *), void *context) {
  pthread_attr_t attributes;
  int failure = pthread_attr_init(&attributes);
  if (failure != 0) return failure;
  if (stack_size > 0) failure = pthread_attr_setstacksize(&attributes, stack_size);
  if (failure == 0) failure = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
#if defined(__APPLE__)
  // If it fails, the thread runs all the same.
  if (quality == 1) pthread_attr_set_qos_class_np(&attributes, QOS_CLASS_UTILITY, 0);
  if (quality == 2) pthread_attr_set_qos_class_np(&attributes, qos_class_self(), 0);
#else
  (void)quality;
#endif
  pthread_t thread;
  if (failure == 0) failure = pthread_create(&thread, &attributes, body, context);
  pthread_attr_destroy(&attributes);
  return failure;
}

void flux_thread_set_name(const char *name) {
#if defined(__APPLE__)
  pthread_setname_np(name);
#else
  char kept[16] = {0};
  strncpy(kept, name, sizeof kept - 1);
  pthread_setname_np(pthread_self(), kept);
#endif
}

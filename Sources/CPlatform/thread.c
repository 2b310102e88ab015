#include "CThread.h"

#include <pthread.h>

int flux_thread_start(size_t stack_size, void *(*body)(void *), void *context) {
  pthread_attr_t attributes;
  int failure = pthread_attr_init(&attributes);
  if (failure != 0) return failure;
  if (stack_size > 0) failure = pthread_attr_setstacksize(&attributes, stack_size);
  if (failure == 0) failure = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  if (failure == 0) failure = pthread_create(&thread, &attributes, body, context);
  pthread_attr_destroy(&attributes);
  return failure;
}

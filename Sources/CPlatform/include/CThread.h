#ifndef CTHREAD_H
#define CTHREAD_H

#include <stddef.h>

/// Starts a thread that nobody waits for; 0, or the number of the error: EAGAIN if there are too many threads.
///
/// The size of its stack is in bytes; 0 for the usual one.
int flux_thread_start(size_t stack_size, void *(*body)(void *), void *context);

#endif

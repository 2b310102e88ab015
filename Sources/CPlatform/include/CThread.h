#ifndef CTHREAD_H
#define CTHREAD_H

#include <stddef.h>

/// Starts a thread that nobody waits for; 0, or the number of the error: EAGAIN if there are too many threads.
///
/// The size of its stack is in bytes; 0 for the usual one. The quality of service is 0 for the usual one, 1 for utility, and
/// 2 for that of the caller; only Apple's systems know it.
int flux_thread_start(size_t stack_size, int quality, void *(*body)(void *), void *context);

/// Names the thread that calls it, for debuggers; Linux keeps 15 bytes.
void flux_thread_set_name(const char *name);

#endif

#ifndef CFORK_H
#define CFORK_H

#include <stdint.h>

/// The number of forks between this process and the first one that watched them; use `flux_fork_count`.
extern uint32_t flux_fork_counter;

/// The number of forks between this process and the first one that watched them. Takes no lock.
static inline uint32_t flux_fork_count(void) {
  return __atomic_load_n(&flux_fork_counter, __ATOMIC_RELAXED);
}

/// Lets a child that is forked lose this descriptor: in the child, it leads to /dev/null.
void flux_fork_add(int descriptor);

/// Undoes `flux_fork_add` before the descriptor is closed.
void flux_fork_remove(int descriptor);

#endif

#ifndef CSTACK_H
#define CSTACK_H

#include <stddef.h>
#include <stdint.h>

/// The lowest address of the calling thread's stack; UINTPTR_MAX if the system does not tell.
uintptr_t flux_stack_end(void);

/// The number of bytes between the caller and the end of its stack; 0 if it does not know the end.
static inline size_t flux_stack_rest(uintptr_t end) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return here > end ? here - end : 0;
}

#endif

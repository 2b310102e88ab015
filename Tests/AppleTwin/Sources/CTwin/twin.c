#include "CTwin.h"

#include <fcntl.h>

void twin_wait(void) {
#if defined(__APPLE__)
  posix_fallocate(1, 0, 0);  // apple-check: call to undeclared function 'posix_fallocate'
#endif
}

bool twin_is_ready(void) { return true; }

#if defined(__linux__)
#define _GNU_SOURCE  // syscall
#endif

#include "CFile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

int flux_rename_exclusively(const char *from, const char *to) {
#if defined(__APPLE__)
  return renamex_np(from, to, RENAME_EXCL);
#elif defined(SYS_renameat2)
  // RENAME_NOREPLACE is 1. Musl has no names for the call and the flag.
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1);
#else
  (void)from, (void)to;
  errno = ENOSYS;
  return -1;
#endif
}

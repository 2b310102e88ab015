#include "CFile.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

int flux_synchronize(int descriptor) {
#if defined(F_FULLFSYNC)
  // On Apple's systems, fsync leaves the bytes in the disk's own memory.
  if (fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
  // Some volumes, such as network shares, do not have the command. A disk that failed to write says so only once, so
  // fsync after such an error would hide it.
  if (errno == EIO || errno == ENOSPC || errno == EDQUOT || errno == EINTR) return -1;
  return fsync(descriptor);
#else
  return fdatasync(descriptor);
#endif
}

int64_t flux_file_size_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0) return INT64_MAX;
  return limit.rlim_cur > INT64_MAX ? INT64_MAX : (int64_t)limit.rlim_cur;
}

#include "CXNU.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static _Thread_local int full_result, plain_result, plain_count;

static int fail(int error) {
  errno = error;
  return error == 0 ? 0 : -1;
}

static int full(void) { return fail(full_result); }

static int plain(void) {
  plain_count++;
  return fail(plain_result);
}

#if !defined(F_FULLFSYNC)
#define F_FULLFSYNC 51
#endif
#define fcntl(descriptor, command) full()
#define fsync(descriptor) plain()
#define flux_synchronize xnu_flux_synchronize
#define flux_file_size_limit xnu_flux_file_size_limit
#include "../../Sources/CPlatform/file.c"

struct xnu_synchronization xnu_synchronize(int full_error, int plain_error) {
  full_result = full_error;
  plain_result = plain_error;
  plain_count = 0;
  int result = flux_synchronize(0);
  return (struct xnu_synchronization){
    .result = result, .error = result == 0 ? 0 : errno, .plain_count = plain_count,
  };
}

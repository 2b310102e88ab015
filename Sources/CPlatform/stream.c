#if defined(__linux__) && !defined(_GNU_SOURCE)
// For pipe2.
#define _GNU_SOURCE
#endif

#include "CStream.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

// Apple's number. Linux has no such command and answers with EINVAL. The call is made there too, so that tests can run the
// programs with a library that implements the command as XNU does.
#if !defined(F_SETNOSIGPIPE)
#define F_SETNOSIGPIPE 73
#endif

int flux_above_standard(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int code = errno;
  close(descriptor);
  errno = code;
  return moved;
}

static bool open_pipe(int ends[2]) {
#if defined(__linux__)
  return pipe2(ends, O_CLOEXEC) == 0;
#else
  if (pipe(ends) != 0) return false;
  for (int index = 0; index < 2; index++) fcntl(ends[index], F_SETFD, FD_CLOEXEC);
  return true;
#endif
}

bool flux_pipe(int ends[2]) {
  int made[2];
  if (!open_pipe(made)) return false;
  int code = 0;
  for (int index = 0; index < 2; index++) {
    ends[index] = flux_above_standard(made[index]);
    if (ends[index] < 0) code = errno;
  }
  if (code == 0) return true;
  for (int index = 0; index < 2; index++) {
    if (ends[index] >= 0) close(ends[index]);
  }
  errno = code;
  return false;
}

void flux_disable_broken_pipe_signal(int descriptor) {
  // For a socket, XNU sets SO_NOSIGPIPE. That fails if the peer has disconnected already, so a socket that was accepted
  // depends on the option of the listening one.
  fcntl(descriptor, F_SETNOSIGPIPE, 1);
}

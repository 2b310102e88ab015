#ifndef CXNU_H
#define CXNU_H

#include <stdbool.h>

// Differences between XNU, the kernel of Apple's systems, and Linux, for tests on Linux. A test calls `xnu_simulate` in a
// process of its own.

/// False on other systems, and if a sanitizer needs the same functions.
bool xnu_can_simulate(void);

/// Starts a thread that blocks no signal, as apps have them, and changes this process's C library for good:
///
/// - Writing to a stream without a reader sends SIGPIPE to the process, unless F_SETNOSIGPIPE was set before the reader left.
/// - `poll` ignores descriptors without requested events, and never reports both POLLHUP and POLLOUT.
/// - `link` fails with EPERM, as in the sandbox.
void xnu_simulate(void);

struct xnu_synchronization {
  /// The result of `flux_synchronize`, and the error if that is -1.
  int result, error;
  /// The number of calls of `fsync`.
  int plain_count;
};

/// Runs `flux_synchronize` as it is compiled for Apple's systems; F_FULLFSYNC and `fsync` fail with these errors, or
/// succeed for 0.
struct xnu_synchronization xnu_synchronize(int full_error, int plain_error);

#endif

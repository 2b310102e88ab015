#ifndef CSTREAM_H
#define CSTREAM_H

#include <stdbool.h>

/// Returns a new descriptor, or moves it above the first three if the process was started without one of those; -1 with errno
/// if that fails, or if there is none.
///
/// What the app prints would otherwise go into a log or to an inspector.
int flux_above_standard(int descriptor);

/// Creates a pipe that no other program inherits; the reading end comes first. False with errno if the process has no
/// descriptor left.
bool flux_pipe(int ends[2]);

/// Makes writing to a pipe or a socket without a reader fail with EPIPE alone on Apple's systems, without SIGPIPE.
///
/// Sockets that are accepted later inherit that from a listening one. Elsewhere this does nothing.
void flux_disable_broken_pipe_signal(int descriptor);

#endif

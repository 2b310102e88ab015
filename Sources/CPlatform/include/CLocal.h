#ifndef CLOCAL_H
#define CLOCAL_H

#include <stdbool.h>
#include <stdint.h>

/// Binds a Unix socket to a path, or connects it to one; -1 with errno on failure, ENAMETOOLONG for a long path.
int flux_local_bind(int socket, const char *path);
int flux_local_connect(int socket, const char *path);

/// The user and the process at the other end of a Unix socket; false with errno if the system does not tell.
///
/// The process is 0 if it is unknown.
bool flux_local_peer(int socket, uint32_t *user, int32_t *process);

#endif

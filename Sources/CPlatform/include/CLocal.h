#ifndef CLOCAL_H
#define CLOCAL_H

#include <stdbool.h>
#include <stdint.h>

/// Binds a Unix socket to a path, or connects it to one; -1 with errno on failure, ENAMETOOLONG for a long path.
int flux_local_bind(int socket, const char *path);
int flux_local_connect(int socket, const char *path);

/// The user at the other end of a Unix socket; false with errno if the system does not tell.
bool flux_local_peer(int socket, uint32_t *user);

#endif

#ifndef CNETWORK_H
#define CNETWORK_H

#include <stdint.h>

/// Listens on an address, and stores the port that was chosen; the socket, or -1 with errno.
///
/// Port 0 lets the system choose one. EADDRNOTAVAIL if the host has no address.
int flux_network_listen(const char *host, uint16_t port, int backlog, uint16_t *chosen);

/// Connects to an address within some milliseconds; the socket, which never blocks, or -1 with errno.
///
/// EHOSTUNREACH if the host has no address. Resolving a name can take longer.
int flux_network_connect(const char *host, uint16_t port, int milliseconds);

/// Lets a connection send at once, and end within about 30 seconds if the other machine is gone.
///
/// A process that is stopped is not: its system answers for it.
void flux_network_tune(int socket);

#endif

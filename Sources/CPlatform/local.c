#if defined(__linux__) && !defined(_GNU_SOURCE)
// For struct ucred.
#define _GNU_SOURCE
#endif

#include "CLocal.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

static bool fill(struct sockaddr_un *address, const char *path) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  size_t length = strlen(path);
  if (length >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return false;
  }
  memcpy(address->sun_path, path, length + 1);
  return true;
}

int flux_local_bind(int socket, const char *path) {
  struct sockaddr_un address;
  if (!fill(&address, path)) return -1;
  return bind(socket, (const struct sockaddr *)&address, sizeof address);
}

int flux_local_connect(int socket, const char *path) {
  struct sockaddr_un address;
  if (!fill(&address, path)) return -1;
  return connect(socket, (const struct sockaddr *)&address, sizeof address);
}

bool flux_local_peer(int socket, uint32_t *user) {
#if defined(__linux__)
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  *user = peer.uid;
  return true;
#else
  uid_t uid;
  gid_t gid;
  if (getpeereid(socket, &uid, &gid) != 0) return false;
  *user = uid;
  return true;
#endif
}

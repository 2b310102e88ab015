#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CNetwork.h"

#include "CStream.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/// Resolves a host; false with errno `missing` if it has no address.
static bool resolve(const char *host, uint16_t port, int flags, int missing, struct addrinfo **found) {
  char number[8];
  snprintf(number, sizeof number, "%u", (unsigned)port);
  struct addrinfo hints;
  memset(&hints, 0, sizeof hints);
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | flags;
  int result = getaddrinfo(host, number, &hints, found);
  if (result == 0) return true;
  if (result != EAI_SYSTEM || errno == 0) errno = missing;
  return false;
}

/// Opens a socket that other programs do not inherit, and that never blocks.
static int open_socket(const struct addrinfo *address) {
  int number = flux_above_standard(socket(address->ai_family, SOCK_STREAM, 0));
  if (number < 0) return -1;
  fcntl(number, F_SETFD, FD_CLOEXEC);
  fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK);
  return number;
}

/// Closes a socket, and keeps errno.
static int give_up(int number) {
  int code = errno;
  if (number >= 0) close(number);
  errno = code;
  return -1;
}

static void set(int socket, int level, int option, int value) {
  setsockopt(socket, level, option, &value, sizeof value);
}

int flux_network_listen(const char *host, uint16_t port, int backlog, uint16_t *chosen) {
  struct addrinfo *found;
  if (!resolve(host, port, AI_PASSIVE, EADDRNOTAVAIL, &found)) return -1;
  int number = open_socket(found);
  // A port whose last session has just ended can be used again.
  if (number >= 0) set(number, SOL_SOCKET, SO_REUSEADDR, 1);
  bool listens =
      number >= 0 && bind(number, found->ai_addr, found->ai_addrlen) == 0 && listen(number, backlog) == 0;
  int code = errno;
  freeaddrinfo(found);
  errno = code;
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  if (!listens || getsockname(number, (struct sockaddr *)&address, &size) != 0) return give_up(number);
  *chosen = ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                                : ((struct sockaddr_in *)&address)->sin_port);
  return number;
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// Waits until a socket is connected; false with errno.
static bool finish(int number, int64_t end) {
  for (;;) {
    int64_t rest = end - now();
    struct pollfd entry = {.fd = number, .events = POLLOUT};
    int count = rest > 0 ? poll(&entry, 1, (int)rest) : 0;
    if (count == 0) errno = ETIMEDOUT;
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    int code = 0;
    socklen_t size = sizeof code;
    if (getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &size) != 0) return false;
    errno = code;
    return code == 0;
  }
}

int flux_network_connect(const char *host, uint16_t port, int milliseconds) {
  struct addrinfo *found;
  if (!resolve(host, port, 0, EHOSTUNREACH, &found)) return -1;
  int64_t end = now() + milliseconds;
  int number = -1;
  int code = EHOSTUNREACH;
  for (struct addrinfo *address = found; address && number < 0; address = address->ai_next) {
    number = open_socket(address);
    bool connects = number >= 0 && (connect(number, address->ai_addr, address->ai_addrlen) == 0
                                    || ((errno == EINPROGRESS || errno == EINTR) && finish(number, end)));
    if (connects) break;
    code = errno;
    if (number >= 0) close(number);
    number = -1;
  }
  freeaddrinfo(found);
  errno = code;
  return number;
}

void flux_network_tune(int socket) {
  // Without this, a small write waits for the acknowledgement of the one before.
  set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
#if defined(__APPLE__)
  set(socket, IPPROTO_TCP, TCP_KEEPALIVE, 10);
  set(socket, IPPROTO_TCP, TCP_RXT_CONNDROPTIME, 30);
#else
  set(socket, IPPROTO_TCP, TCP_KEEPIDLE, 10);
  set(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, 30000);
#endif
  set(socket, IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set(socket, IPPROTO_TCP, TCP_KEEPCNT, 4);
}

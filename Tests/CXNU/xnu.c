#if defined(__linux__) && !defined(_GNU_SOURCE)
// For RTLD_NEXT.
#define _GNU_SOURCE
#endif

#include "CXNU.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#if !defined(__linux__) || defined(SANITIZED)
bool xnu_can_simulate(void) { return false; }
void xnu_simulate(void) {}
#else

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define F_SETNOSIGPIPE 73
#define COUNT 65536

static atomic_bool simulates;
// The descriptors with F_SETNOSIGPIPE. XNU keeps that with the open stream; here it follows the duplicates that are used.
static atomic_bool is_silent[COUNT];

bool xnu_can_simulate(void) { return true; }

static void *be_open(void *unused) {
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
  while (true) pause();
  return unused;
}

void xnu_simulate(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, be_open, NULL) != 0) abort();
  atomic_store(&simulates, true);
}

static bool silent(int descriptor) {
  return descriptor >= 0 && descriptor < COUNT && atomic_load(&is_silent[descriptor]);
}

static void set_silent(int descriptor, bool value) {
  if (descriptor >= 0 && descriptor < COUNT) atomic_store(&is_silent[descriptor], value);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  if (!atomic_load(&simulates)) return syscall(SYS_write, descriptor, bytes, count);
  // The signal that Linux sends to this thread is taken, and the process gets one instead.
  sigset_t signals, before;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  ssize_t result = syscall(SYS_write, descriptor, bytes, count);
  int error = errno;
  bool is_broken = result < 0 && error == EPIPE;
  struct timespec none = {0};
  if (is_broken) sigtimedwait(&signals, NULL, &none);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (is_broken && !silent(descriptor)) kill(getpid(), SIGPIPE);
  errno = error;
  return result;
}

/// True for a socket whose peer has disconnected; XNU changes no option of it.
static bool is_gone(int descriptor) {
  struct sockaddr_storage peer;
  socklen_t size = sizeof peer;
  if (getpeername(descriptor, (struct sockaddr *)&peer, &size) != 0) return false;
  struct pollfd entry = {.fd = descriptor};
  struct timespec none = {0};
  return syscall(SYS_ppoll, &entry, 1, &none, NULL, 0) > 0 && (entry.revents & POLLHUP) != 0;
}

int fcntl(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  long argument = va_arg(rest, long);
  va_end(rest);
  if (command == F_SETNOSIGPIPE && atomic_load(&simulates)) {
    if (is_gone(descriptor)) {
      errno = EINVAL;
      return -1;
    }
    set_silent(descriptor, argument != 0);
    return 0;
  }
  int result = (int)syscall(SYS_fcntl, descriptor, command, argument);
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) set_silent(result, silent(descriptor));
  return result;
}

int fcntl64(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  long argument = va_arg(rest, long);
  va_end(rest);
  return fcntl(descriptor, command, argument);
}

int accept(int listener, struct sockaddr *address, socklen_t *size) {
  int result = (int)syscall(SYS_accept4, listener, address, size, 0);
  set_silent(result, silent(listener));
  return result;
}

int close(int descriptor) {
  set_silent(descriptor, false);
  return (int)syscall(SYS_close, descriptor);
}

typedef int poll_function(struct pollfd *, nfds_t, int);

int poll(struct pollfd *entries, nfds_t count, int milliseconds) {
  poll_function *standard = (poll_function *)dlsym(RTLD_NEXT, "poll");
  if (!atomic_load(&simulates)) return standard(entries, count, milliseconds);
  struct pollfd *asked = calloc(count + 1, sizeof *asked);
  if (asked == NULL) abort();
  for (nfds_t index = 0; index < count; index++) {
    asked[index] = entries[index];
    if (entries[index].events == 0) asked[index].fd = -1;
  }
  int result = standard(asked, count, milliseconds);
  int error = errno;
  for (nfds_t index = 0; result >= 0 && index < count; index++) {
    short events = asked[index].revents;
    entries[index].revents = (events & POLLHUP) != 0 ? events & ~POLLOUT : events;
  }
  free(asked);
  errno = error;
  return result;
}

int link(const char *from, const char *to) {
  if (!atomic_load(&simulates)) return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
  errno = EPERM;
  return -1;
}
#endif

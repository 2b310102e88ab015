#define _GNU_SOURCE
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE
#endif

#include "CPTY.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

int cpty_open(int columns, int rows, char *path, size_t capacity) {
  int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) return -1;
  fcntl(terminal, F_SETFD, FD_CLOEXEC);
  // Not ptsname, which has one buffer for all threads: tests that run at the same time would share a terminal.
  if (grantpt(terminal) != 0 || unlockpt(terminal) != 0 || ptsname_r(terminal, path, capacity) != 0
      || !cpty_resize(terminal, columns, rows)) {
    int error = errno;
    close(terminal);
    errno = error;
    return -1;
  }
  return terminal;
}

bool cpty_resize(int terminal, int columns, int rows) {
  struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
  return ioctl(terminal, TIOCSWINSZ, &size) == 0;
}

pid_t cpty_spawn(const char *path, char *const arguments[], char *const environment[]) {
#if defined(__APPLE__) && (TARGET_OS_TV || TARGET_OS_WATCH)
  // These systems start no processes, and refuse to compile a call.
  errno = ENOSYS;
  return -1;
#else
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  // The leader of a session without a terminal gets the first one that it opens.
  posix_spawn_file_actions_addopen(&files, 0, path, O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&files, 0, 1);
  posix_spawn_file_actions_adddup2(&files, 0, 2);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t process = -1;
  int error = posix_spawn(&process, arguments[0], &files, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  errno = error;
  return error == 0 ? process : -1;
#endif
}

bool cpty_is_cooked(int terminal) {
  struct termios mode;
  return tcgetattr(terminal, &mode) == 0 && (mode.c_lflag & ICANON) != 0 && (mode.c_lflag & ECHO) != 0;
}

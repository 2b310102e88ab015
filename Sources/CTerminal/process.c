#define _GNU_SOURCE

#include "CProcess.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

pid_t cle_spawn(char *const arguments[], char *const environment[], int input, int output, int extra) {
#if defined(__APPLE__) && (TARGET_OS_TV || TARGET_OS_WATCH)
  // These systems start no processes, and refuse to compile a call.
  errno = ENOSYS;
  return -1;
#else
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, input, 0);
  posix_spawn_file_actions_adddup2(&files, output, 1);
  if (extra >= 0) posix_spawn_file_actions_adddup2(&files, extra, 9);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t process = -1;
  int error = posix_spawn(&process, arguments[0], &files, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  errno = error;
  return error == 0 ? process : -1;
#endif
}

int cle_wait(pid_t process, bool *killed) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  *killed = WIFSIGNALED(status);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool cle_ignore_broken_pipes(void) {
  struct sigaction action = {.sa_handler = SIG_IGN}, before = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  sigaction(SIGPIPE, &action, &before);
  return before.sa_handler == SIG_IGN;
}

void cle_heed_broken_pipes(void) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  sigaction(SIGPIPE, &action, NULL);
}

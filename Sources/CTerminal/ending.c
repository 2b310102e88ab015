#define _GNU_SOURCE
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE
#endif

#include "CTerminal.h"

#include "CStream.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/// The signals that ask the process to end, with their previous handlers.
static const int endings[] = {SIGTERM, SIGHUP};
#define ENDINGS (sizeof endings / sizeof *endings)
static struct sigaction before[ENDINGS];

/// The handlers write the number of the signal here. It is set before any handler is installed.
static int requests[2] = {-1, -1};

static void on_ending(int signal) {
  int error = errno;
  unsigned char number = (unsigned char)signal;
  // A full pipe has requests already, so a failed write does not matter.
  ssize_t written = write(requests[1], &number, 1);
  (void)written;
  errno = error;
}

bool cle_watch_endings(void) {
  if (requests[0] >= 0) return true;
  if (!flux_pipe(requests)) return false;
  for (size_t i = 0; i < ENDINGS; i++) {
    struct sigaction action = {.sa_handler = on_ending, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    // Signals that nohup or a parent has ignored stay ignored.
    if (sigaction(endings[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN) {
      sigaction(endings[i], &action, NULL);
    }
  }
  return true;
}

int cle_next_ending(void) {
  // A parent that starts programs on a thread which blocks signals passes its mask on, as Foundation does on a thread of
  // Dispatch. A signal would then wait for ever.
  sigset_t ending;
  sigemptyset(&ending);
  for (size_t i = 0; i < ENDINGS; i++) sigaddset(&ending, endings[i]);
  pthread_sigmask(SIG_UNBLOCK, &ending, NULL);
  unsigned char number;
  ssize_t count;
  do count = read(requests[0], &number, 1);
  while (count < 0 && errno == EINTR);
  return count == 1 ? number : -1;
}

void cle_end_by(int signal) {
  for (size_t i = 0; i < ENDINGS; i++) {
    if (endings[i] == signal) sigaction(signal, &before[i], NULL);
  }
  kill(getpid(), signal);
}

#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/// Starts a program with these descriptors as standard input and output and with default signal handlers.
/// `extra` is its descriptor 9, the highest that every shell passes on; -1 for none. Returns its process, or -1
/// and errno.
pid_t cle_spawn(char *const arguments[], char *const environment[], int input, int output, int extra);

/// Waits for a process to end. Returns its exit code, 128 plus the signal that ended it, or -1 and errno.
/// `killed` becomes true if a signal ended it.
int cle_wait(pid_t process, bool *killed);

/// Ignores SIGPIPE, so that writing to a closed pipe fails with an error. Returns true if it was already
/// ignored.
bool cle_ignore_broken_pipes(void);

/// Restores the default action of SIGPIPE, which ends the process.
void cle_heed_broken_pipes(void);

#endif

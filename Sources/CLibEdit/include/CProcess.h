#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/// Starts a program whose standard input and output are these descriptors and which handles all
/// signals in the standard way. Returns its process, or -1 and errno.
pid_t cle_spawn(char *const arguments[], char *const environment[], int input, int output);

/// Makes a pipe, the end to read from first, that no other program inherits. False and errno where
/// the system has none left.
bool cle_pipe(int ends[2]);

/// Waits for the process to end; its exit code, 128 and the number of the signal that ended it, or
/// -1 and errno.
int cle_wait(pid_t process);

/// Ignores SIGPIPE, so that writing to a reader that has left is an error of that write; returns
/// whether it was ignored before.
bool cle_ignore_broken_pipes(void);

/// Lets SIGPIPE end the process again.
void cle_heed_broken_pipes(void);

#endif

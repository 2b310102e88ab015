#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stdbool.h>
#include <stdint.h>

// Signals, and the terminal's mode through all of them. Everything here belongs to the process: a
// handler can reach nothing else. The handlers only store to atomics, write to a pipe, and call
// tcsetattr and its like, all of which POSIX allows in a handler.

/// Makes SIGINT a number that counts instead of the end of the process, and opens the pipe that
/// wakes a poll. Does nothing where it has been called, or where SIGINT was ignored.
bool cle_watch_interrupts(void);

/// How many times SIGINT came.
uint32_t cle_interrupts(void);

/// The descriptor that is readable after a signal or a `cle_wake`, -1 before there is one.
int cle_wake_descriptor(void);

/// Makes the wake descriptor readable. Callable from any thread.
void cle_wake(void);

/// Empties the wake descriptor.
void cle_drain(void);

/// Keeps the mode of this terminal, to give it back when the process is stopped, killed by a signal
/// or crashes, and sets it again when the process goes on. False where it is not a terminal.
bool cle_guard_terminal(int input, int output);

/// Whether a terminal is under guard.
bool cle_guards_terminal(void);

/// Puts the signals back as they were, and the terminal's mode.
void cle_release_terminal(void);

/// Says that the terminal is now in a mode of ours, which is kept for when the process goes on;
/// `leave` is written whenever the mode is given back, `enter` when it is taken again. Both have to
/// outlive the guard.
void cle_entered_mode(const char *enter, const char *leave);

/// Says that the terminal is back in the mode it was found in.
void cle_left_mode(void);

/// How many times the size of the terminal changed.
uint32_t cle_resizes(void);

/// How many times the process was stopped and went on.
uint32_t cle_resumptions(void);

/// The size of the terminal; false where there is none.
bool cle_terminal_size(int descriptor, int *columns, int *rows);

#endif

#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stdbool.h>
#include <stdint.h>

#include "CLocale.h"
#include "CProcess.h"

// Signals, and the terminal's mode across them. Everything here is global, because signal handlers can reach
// nothing else. The handlers only store to atomics, write to a pipe, and call functions like tcsetattr, all of
// which POSIX allows in a handler.

/// Counts SIGINTs instead of ending the process, and opens the pipe that wakes a poll. Does nothing on later
/// calls, or if SIGINT was ignored.
bool cle_watch_interrupts(void);

/// Makes SIGQUIT end the process at once, unless it is ignored.
void cle_end_on_quit(void);

/// Lets `cle_next_ending` return SIGTERM and SIGHUP instead of ending the process. Does nothing on later calls.
/// Ignored signals stay ignored. False if the system has no descriptors left.
bool cle_watch_endings(void);

/// Waits for the next SIGTERM or SIGHUP and returns it; -1 if that is impossible. One thread calls it.
int cle_next_ending(void);

/// Restores the action that the signal had before `cle_watch_endings`, and sends it to the process.
void cle_end_by(int signal);

/// The number of SIGINTs so far.
uint32_t cle_interrupts(void);

/// The descriptor that becomes readable after a signal or a `cle_wake`; -1 before it exists.
int cle_wake_descriptor(void);

/// Makes the wake descriptor readable; any thread may call it.
void cle_wake(void);

/// Empties the wake descriptor.
void cle_drain(void);

/// Saves the mode of this terminal. The mode is restored when the process is stopped, killed by a signal or
/// crashes, and the program's mode is set again when the process continues. False if it is not a terminal.
bool cle_guard_terminal(int input, int output);

/// True while a terminal is guarded.
bool cle_guards_terminal(void);

/// Restores the signal handlers and the terminal's mode.
void cle_release_terminal(void);

/// Records that the terminal is now in the program's mode, which is set again when the process continues.
/// `leave` is written whenever the original mode is restored, `enter` when the program's mode is set again.
/// Both must outlive the guard. With `has_line`, a line end follows `leave` if a signal restores the mode.
void cle_entered_mode(const char *enter, const char *leave, bool has_line);

/// Records that the terminal is back in its original mode.
void cle_left_mode(void);

/// The number of changes of the terminal's size so far.
uint32_t cle_resizes(void);

/// The number of times the process was stopped and continued.
uint32_t cle_resumptions(void);

/// Reads the size of the terminal; false if there is none.
bool cle_terminal_size(int descriptor, int *columns, int *rows);

#endif

#ifndef CPTY_H
#define CPTY_H

#include <stdbool.h>
#include <sys/types.h>

/// Opens a pseudo-terminal of this size; returns its controlling side, or -1 and errno. The path of
/// the other side goes to `path`, which has `capacity` bytes.
int cpty_open(int columns, int rows, char *path, size_t capacity);

/// Changes the size, of which the programs at the other side are told.
bool cpty_resize(int terminal, int columns, int rows);

/// Starts a program in a session of its own whose controlling terminal is the one at `path`, with no
/// signal blocked or ignored. Returns its process, or -1 and errno.
pid_t cpty_spawn(const char *path, char *const arguments[], char *const environment[]);

/// Whether the terminal echoes and hands out whole lines: the mode that shells expect.
bool cpty_is_cooked(int terminal);

#endif

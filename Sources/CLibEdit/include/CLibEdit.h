#ifndef CLIBEDIT_H
#define CLIBEDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The part of libedit that the Swift line editor uses. Swift can call neither variadic functions nor functions
// with wide characters, so both stay in C: only UTF-8 and Unicode scalar values cross. The caller reads and
// decodes keys, and passes each to libedit as one scalar.

typedef struct cle_editor cle_editor;

/// The result of editing a line.
typedef enum __attribute__((enum_extensibility(closed))) {
  cle_outcome_accepted,
  cle_outcome_interrupted,
  cle_outcome_ended,
} cle_outcome;

/// The result of the caller's read.
typedef enum __attribute__((enum_extensibility(closed))) {
  cle_input_scalar,
  cle_input_interrupted,
  cle_input_ended,
} cle_input;

/// The editor's reaction after the caller has handled a key.
typedef enum __attribute__((enum_extensibility(closed))) {
  /// The line and the prompt have not changed.
  cle_reaction_none,
  /// The line may have changed.
  cle_reaction_refresh,
  /// The prompt or its colours may have changed; libedit does not compare colours.
  cle_reaction_redraw,
  cle_reaction_beep,
} cle_reaction;

/// The caller's functions; the editor calls them only on the thread that called into it.
typedef struct {
  void *context;
  /// Reads the next scalar of the input.
  cle_input (*next)(void *context, uint32_t *scalar);
  /// A key was pressed that `cle_bind_key` has bound.
  cle_reaction (*key)(void *context, uint32_t key);
} cle_callbacks;

/// Opens an editor on a terminal; NULL if the descriptors are not a terminal. `name` is the program's name in
/// `.editrc`. The editor copies the descriptors.
cle_editor *cle_open(const char *name, int input, int output, cle_callbacks callbacks);

/// Restores the terminal and frees everything.
void cle_close(cle_editor *editor);

/// Sets the prompt. Text between two bytes 1 goes to the terminal without taking columns; a visible character
/// must follow it.
void cle_set_prompt(cle_editor *editor, const char *prompt);

/// Edits one line; afterwards `cle_line` returns its text without the line feed.
cle_outcome cle_read_line(cle_editor *editor);

/// The current line, its number of bytes and the byte offset of the cursor. The text may contain zero bytes, and
/// is valid until the next call.
const char *cle_line(cle_editor *editor, size_t *count, size_t *cursor);

/// Replaces the line while a key is being handled; `cursor` counts scalars.
void cle_replace_line(cle_editor *editor, const char *text, size_t cursor);

/// Redraws prompt and line at the terminal's cursor.
void cle_refresh(cle_editor *editor);

/// Updates the size of the terminal.
void cle_resize(cle_editor *editor);

/// Switches between raw mode, which reads keys one by one, and line mode.
void cle_set_raw(cle_editor *editor, bool raw);

/// Writes to the terminal, in order with the editor's output.
void cle_write(cle_editor *editor, const char *bytes, size_t count);

/// Binds a key (a scalar below 256) to one of libedit's commands, in every map.
bool cle_bind_command(cle_editor *editor, uint32_t key, const char *command);

/// Binds a key (a scalar below 256) to the caller's `key` function, in every map.
bool cle_bind_key(cle_editor *editor, uint32_t key);

/// Runs a line of `.editrc`; false if libedit does not understand it.
bool cle_run_setting(cle_editor *editor, const char *line);

/// Appends a line to the history.
void cle_add_history(cle_editor *editor, const char *line);

#endif

#ifndef CLIBEDIT_H
#define CLIBEDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CProcess.h"
#include "CTerminal.h"

// The part of libedit that a Swift line editor stands on. Swift can call neither functions with
// variable arguments nor anything with wide characters, so both stay in here: only UTF-8 and
// numbers of Unicode scalars cross. Keys are read and understood by the caller, which hands each to
// libedit as one scalar.

typedef struct cle_editor cle_editor;

/// How the editing of a line ended.
typedef enum __attribute__((enum_extensibility(closed))) {
  cle_outcome_accepted,
  cle_outcome_interrupted,
  cle_outcome_ended,
} cle_outcome;

/// What the caller has read.
typedef enum __attribute__((enum_extensibility(closed))) {
  cle_input_scalar,
  cle_input_interrupted,
  cle_input_ended,
} cle_input;

/// What the editor does after the caller has acted upon a key.
typedef enum __attribute__((enum_extensibility(closed))) {
  /// The line and the prompt are as they were.
  cle_reaction_none,
  /// The line may have changed.
  cle_reaction_refresh,
  /// The prompt may have changed, and its colours, which libedit does not compare.
  cle_reaction_redraw,
  cle_reaction_beep,
} cle_reaction;

/// What the editor asks of its caller, always on the thread that called into it.
typedef struct {
  void *context;
  /// Reads the next scalar of the input.
  cle_input (*next)(void *context, uint32_t *scalar);
  /// A key was pressed that `cle_bind_key` has bound.
  cle_reaction (*key)(void *context, uint32_t key);
} cle_callbacks;

/// Opens an editor on a terminal, or NULL where the descriptors are not one. `name` is what
/// `.editrc` calls the program. Takes copies of the descriptors.
cle_editor *cle_open(const char *name, int input, int output, cle_callbacks callbacks);

/// Gives the terminal back as it was, and frees everything.
void cle_close(cle_editor *editor);

/// Sets both prompts; text between two bytes 1 is sent to the terminal and takes no column, and has
/// to stand before a visible character.
void cle_set_prompts(cle_editor *editor, const char *left, const char *right);

/// Edits one line; afterwards `cle_line` is its text, without the line feed.
cle_outcome cle_read_line(cle_editor *editor);

/// The line as it stands, valid until the next call, the count of its bytes, and the byte at which
/// the cursor is. It may hold zero bytes.
const char *cle_line(cle_editor *editor, size_t *count, size_t *cursor);

/// Replaces the line while a key is being acted upon; `cursor` counts scalars.
void cle_replace_line(cle_editor *editor, const char *text, size_t cursor);

/// Draws prompt and line anew where the terminal's cursor is.
void cle_refresh(cle_editor *editor);

/// Takes the terminal's new size.
void cle_resize(cle_editor *editor);

/// Switches between the mode in which keys are read one by one, and the mode of lines.
void cle_set_raw(cle_editor *editor, bool raw);

/// Writes to the terminal, in order with what the editor writes.
void cle_write(cle_editor *editor, const char *bytes, size_t count);

/// Binds a key (a scalar below 256) to one of libedit's commands, in every map.
bool cle_bind_command(cle_editor *editor, uint32_t key, const char *command);

/// Binds a key (a scalar below 256) to the caller's `key` function, in every map.
bool cle_bind_key(cle_editor *editor, uint32_t key);

/// Runs a line of `.editrc`; false where libedit does not understand it.
bool cle_run_setting(cle_editor *editor, const char *line);

/// Puts a line at the end of the history that the arrow keys walk.
void cle_add_history(cle_editor *editor, const char *line);

/// Chooses a UTF-8 character type, the user's where it is one; false where the system has none.
bool cle_choose_locale(void);

/// The columns that a scalar takes: 0, 1 or 2, and -1 for one that cannot be shown.
int cle_width(uint32_t scalar);

#endif

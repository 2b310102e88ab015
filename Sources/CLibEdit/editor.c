#define _GNU_SOURCE

#include "CLibEdit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif
#if defined(__APPLE__) && !TARGET_OS_OSX
#include "absent.h"
#elif !__has_include(<histedit.h>)
#error "libedit's headers are missing. Scripts/install-headers installs them (on Debian and Ubuntu: apt-get install libedit-dev)."
#else
#include <histedit.h>
#endif

#include "wide.h"

/// Separates the parts of a prompt that take no columns from those that do.
#define PROMPT_ESCAPE L'\1'

/// The limit of libedit's history; the caller's file limits the lines that it passes on.
#define HISTORY_SIZE 100000

struct cle_editor {
  EditLine *libedit;
  HistoryW *history;
  FILE *input, *output, *errors;
  cle_callbacks callbacks;
  /// The latest result of the caller's `next`.
  cle_input last;
  wchar_t *prompt;
  char *text;
  size_t capacity;
};

static cle_editor *editor_of(EditLine *libedit) {
  void *data = NULL;
  el_wget(libedit, EL_CLIENTDATA, &data);
  return data;
}

static int read_scalar(EditLine *libedit, wchar_t *character) {
  cle_editor *editor = editor_of(libedit);
  uint32_t scalar = 0;
  editor->last = editor->callbacks.next(editor->callbacks.context, &scalar);
  *character = (wchar_t)scalar;
  switch (editor->last) {
  case cle_input_scalar:
    return 1;
  case cle_input_interrupted:
    errno = EINTR;
    return -1;
  case cle_input_ended:
    return 0;
  }
}

static unsigned char press_key(EditLine *libedit, wint_t key) {
  cle_editor *editor = editor_of(libedit);
  switch (editor->callbacks.key(editor->callbacks.context, (uint32_t)key)) {
  case cle_reaction_none:
    return CC_NORM;
  case cle_reaction_refresh:
    return CC_REFRESH;
  case cle_reaction_redraw:
    return CC_REDISPLAY;
  case cle_reaction_beep:
    return CC_ERROR;
  }
}

static wchar_t *prompt(EditLine *libedit) {
  return editor_of(libedit)->prompt;
}

/// Opens a stream on a copy of the descriptor, so that closing it does not close the caller's.
static FILE *stream(int descriptor, const char *mode) {
  int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return NULL;
  FILE *file = fdopen(copy, mode);
  if (file == NULL) close(copy);
  return file;
}

cle_editor *cle_open(const char *name, int input, int output, cle_callbacks callbacks) {
  if (!isatty(input) || !isatty(output)) return NULL;
  cle_editor *editor = cle_allocate(NULL, sizeof *editor);
  *editor = (cle_editor){.callbacks = callbacks, .prompt = cle_wide("")};
  editor->input = stream(input, "r");
  editor->output = stream(output, "w");
  // libedit's messages about bad settings name neither file nor line; the caller's do.
  editor->errors = fopen("/dev/null", "w");
  editor->history = history_winit();
  if (editor->input != NULL && editor->output != NULL && editor->errors != NULL) {
    editor->libedit = el_init(name, editor->input, editor->output, editor->errors);
  }
  if (editor->libedit == NULL || editor->history == NULL) {
    cle_close(editor);
    return NULL;
  }

  HistEventW event;
  history_w(editor->history, &event, H_SETSIZE, HISTORY_SIZE);
  EditLine *libedit = editor->libedit;
  el_wset(libedit, EL_CLIENTDATA, editor);
  // libedit's own handlers send signals to the whole process group.
  el_wset(libedit, EL_SIGNAL, 0);
  el_wset(libedit, EL_EDITOR, L"emacs");
  el_wset(libedit, EL_HIST, history_w, editor->history);
  el_wset(libedit, EL_GETCFN, read_scalar);
  el_wset(libedit, EL_PROMPT_ESC, prompt, PROMPT_ESCAPE);
  el_wset(libedit, EL_ADDFN, L"program-key", L"What the program does at this key", press_key);
  return editor;
}

void cle_close(cle_editor *editor) {
  if (editor->libedit != NULL) el_end(editor->libedit);
  if (editor->history != NULL) history_wend(editor->history);
  if (editor->input != NULL) fclose(editor->input);
  if (editor->output != NULL) fclose(editor->output);
  if (editor->errors != NULL) fclose(editor->errors);
  free(editor->prompt);
  free(editor->text);
  free(editor);
}

void cle_set_prompt(cle_editor *editor, const char *prompt) {
  free(editor->prompt);
  editor->prompt = cle_wide(prompt);
}

cle_outcome cle_read_line(cle_editor *editor) {
  editor->last = cle_input_scalar;
  // Flushed, so that the program's output appears above the prompt.
  fflush(NULL);
  int count = 0;
  const wchar_t *line = el_wgets(editor->libedit, &count);
  if (line == NULL || count <= 0) {
    cle_narrow(L"", 0, &editor->text, &editor->capacity);
    return editor->last == cle_input_interrupted ? cle_outcome_interrupted : cle_outcome_ended;
  }
  return cle_outcome_accepted;
}

const char *cle_line(cle_editor *editor, size_t *count, size_t *cursor) {
  const LineInfoW *line = el_wline(editor->libedit);
  *cursor = cle_narrow(line->buffer, (size_t)(line->cursor - line->buffer), &editor->text, &editor->capacity);
  *count = cle_narrow(line->buffer, (size_t)(line->lastchar - line->buffer), &editor->text, &editor->capacity);
  return editor->text;
}

/// Moves the cursor to an offset from the start of the line.
///
/// Apple's libedit has no el_cursor, so this does the same: el_wline returns the editor's own line, not a copy.
static void move_cursor(EditLine *libedit, size_t place) {
  LineInfoW *line = (LineInfoW *)el_wline(libedit);
  size_t count = (size_t)(line->lastchar - line->buffer);
  line->cursor = line->buffer + (place < count ? place : count);
}

void cle_replace_line(cle_editor *editor, const char *text, size_t cursor) {
  EditLine *libedit = editor->libedit;
  const LineInfoW *line = el_wline(libedit);
  size_t count = (size_t)(line->lastchar - line->buffer);
  // el_wreplacestr refuses an empty line.
  move_cursor(libedit, count);
  el_wdeletestr(libedit, (int)count);
  wchar_t *wide = cle_wide(text);
  if (*wide != L'\0') el_winsertstr(libedit, wide);
  free(wide);
  move_cursor(libedit, cursor);
}

void cle_refresh(cle_editor *editor) {
  el_wset(editor->libedit, EL_REFRESH);
}

void cle_resize(cle_editor *editor) {
  el_resize(editor->libedit);
}

void cle_set_raw(cle_editor *editor, bool raw) {
  el_wset(editor->libedit, EL_PREP_TERM, raw ? 1 : 0);
}

void cle_write(cle_editor *editor, const char *bytes, size_t count) {
  fwrite(bytes, 1, count, editor->output);
  fflush(editor->output);
}

/// Binds a key in the insertion map and, for vi, in the command map.
static bool bind(cle_editor *editor, uint32_t key, const wchar_t *command) {
  if (key == 0 || key > 255) return false;
  const wchar_t name[2] = {(wchar_t)key, L'\0'};
  return el_wset(editor->libedit, EL_BIND, name, command, NULL) == 0
      && el_wset(editor->libedit, EL_BIND, L"-a", name, command, NULL) == 0;
}

bool cle_bind_command(cle_editor *editor, uint32_t key, const char *command) {
  wchar_t *wide = cle_wide(command);
  bool bound = bind(editor, key, wide);
  free(wide);
  return bound;
}

bool cle_bind_key(cle_editor *editor, uint32_t key) {
  return bind(editor, key, L"program-key");
}

bool cle_run_setting(cle_editor *editor, const char *line) {
  TokenizerW *tokenizer = tok_winit(NULL);
  if (tokenizer == NULL) return false;
  wchar_t *wide = cle_wide(line);
  int count = 0;
  const wchar_t **words = NULL;
  bool understood = tok_wstr(tokenizer, wide, &count, &words) == 0;
  if (understood && count > 0) understood = el_wparse(editor->libedit, count, words) == 0;
  tok_wend(tokenizer);
  free(wide);
  return understood;
}

void cle_add_history(cle_editor *editor, const char *line) {
  wchar_t *wide = cle_wide(line);
  HistEventW event;
  history_w(editor->history, &event, H_ENTER, wide);
  free(wide);
}

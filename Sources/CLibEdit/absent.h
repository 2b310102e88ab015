#ifndef CLE_ABSENT_H
#define CLE_ABSENT_H

#include <stdio.h>
#include <wchar.h>

// What editor.c uses of libedit, for Apple's systems that do not have it: all but macOS. `el_init` fails, so `cle_open`
// returns NULL as it does without a terminal, and nothing else is called.

typedef struct editline EditLine;
typedef struct historyW HistoryW;
typedef struct tokenizerW TokenizerW;
typedef struct {
  const wchar_t *buffer, *cursor, *lastchar;
} LineInfoW;
typedef struct {
  int num;
  const wchar_t *str;
} HistEventW;

enum { CC_NORM, CC_REFRESH, CC_REDISPLAY, CC_ERROR };
enum {
  EL_ADDFN, EL_BIND, EL_CLIENTDATA, EL_EDITOR, EL_GETCFN, EL_HIST, EL_PREP_TERM, EL_PROMPT_ESC, EL_REFRESH, EL_SIGNAL,
  H_ENTER, H_SETSIZE,
};

static inline EditLine *el_init(const char *name, FILE *input, FILE *output, FILE *errors) { return NULL; }
static inline void el_end(EditLine *editor) {}
static inline void el_resize(EditLine *editor) {}
static inline int el_wget(EditLine *editor, int what, ...) { return -1; }
static inline int el_wset(EditLine *editor, int what, ...) { return -1; }
static inline const wchar_t *el_wgets(EditLine *editor, int *count) { return NULL; }
static inline const LineInfoW *el_wline(EditLine *editor) { return NULL; }
static inline void el_wdeletestr(EditLine *editor, int count) {}
static inline int el_winsertstr(EditLine *editor, const wchar_t *text) { return -1; }
static inline int el_wparse(EditLine *editor, int count, const wchar_t **words) { return -1; }
static inline HistoryW *history_winit(void) { return NULL; }
static inline void history_wend(HistoryW *history) {}
static inline int history_w(HistoryW *history, HistEventW *event, int what, ...) { return -1; }
static inline TokenizerW *tok_winit(const wchar_t *separators) { return NULL; }
static inline void tok_wend(TokenizerW *tokenizer) {}
static inline int tok_wstr(
    TokenizerW *tokenizer, const wchar_t *text, int *count, const wchar_t ***words) { return -1; }

#endif

#define _GNU_SOURCE

#include "CLocale.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <wchar.h>

static bool is_utf8(void) {
  return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool cle_choose_locale(void) {
  // Swift never calls setlocale, and until then libedit treats all characters beyond ASCII as unprintable.
  static const char *const names[] = {"", "C.UTF-8", "en_US.UTF-8", "UTF-8"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (setlocale(LC_CTYPE, names[i]) != NULL && is_utf8()) return true;
  }
  return false;
}

int cle_width(uint32_t scalar) {
  return wcwidth((wchar_t)scalar);
}

#include "wide.h"

#include <stdlib.h>
#include <string.h>

void *cle_allocate(void *old, size_t count) {
  void *memory = realloc(old, count);
  if (memory == NULL) abort();
  return memory;
}

/// Decodes the scalar at `*text` and advances `*text`.
static uint32_t decode(const unsigned char **text) {
  const unsigned char *bytes = *text;
  uint32_t scalar = bytes[0];
  int following = scalar < 0x80 ? 0 : scalar < 0xC2 ? -1 : scalar < 0xE0 ? 1 : scalar < 0xF0 ? 2 : scalar < 0xF5 ? 3 : -1;
  *text += 1;
  if (following <= 0) return following == 0 ? scalar : 0xFFFD;
  scalar &= 0x3F >> following;
  for (int i = 1; i <= following; i++) {
    if ((bytes[i] & 0xC0) != 0x80) return 0xFFFD;
    scalar = scalar << 6 | (bytes[i] & 0x3F);
  }
  *text += following;
  return scalar;
}

wchar_t *cle_wide(const char *text) {
  wchar_t *wide = cle_allocate(NULL, (strlen(text) + 1) * sizeof(wchar_t));
  const unsigned char *bytes = (const unsigned char *)text;
  size_t count = 0;
  while (*bytes != 0) wide[count++] = (wchar_t)decode(&bytes);
  wide[count] = L'\0';
  return wide;
}

size_t cle_narrow(const wchar_t *text, size_t count, char **buffer, size_t *capacity) {
  if (*capacity < count * 4 + 1) {
    *capacity = count * 8 + 64;
    *buffer = cle_allocate(*buffer, *capacity);
  }
  unsigned char *bytes = (unsigned char *)*buffer;
  size_t length = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t scalar = (uint32_t)text[i];
    if (scalar > 0x10FFFF || (scalar >= 0xD800 && scalar < 0xE000)) scalar = 0xFFFD;
    if (scalar < 0x80) {
      bytes[length++] = (unsigned char)scalar;
      continue;
    }
    int following = scalar < 0x800 ? 1 : scalar < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
    bytes[length++] = (unsigned char)(lead[following] | scalar >> (6 * following));
    for (int shift = 6 * (following - 1); shift >= 0; shift -= 6) {
      bytes[length++] = (unsigned char)(0x80 | ((scalar >> shift) & 0x3F));
    }
  }
  bytes[length] = 0;
  return length;
}

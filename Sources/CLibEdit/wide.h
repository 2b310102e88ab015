#ifndef CLE_WIDE_H
#define CLE_WIDE_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

// Converts between UTF-8 and wide characters, independently of the locale. Swift strings are always valid UTF-8;
// invalid bytes become U+FFFD.

/// Allocates memory, or ends the process: an editor cannot work without memory for a line.
void *cle_allocate(void *old, size_t count);

/// Converts a text to wide characters, which the caller frees.
wchar_t *cle_wide(const char *text);

/// Converts a text to UTF-8 in `*buffer`, which grows as needed; returns the number of bytes.
size_t cle_narrow(const wchar_t *text, size_t count, char **buffer, size_t *capacity);

#endif

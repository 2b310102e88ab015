#ifndef CLE_WIDE_H
#define CLE_WIDE_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

// UTF-8 and wide characters, both ways, whatever the locale is. The UTF-8 comes from Swift strings,
// which are always sound; bytes that are not become U+FFFD.

/// The memory, or the end of the process: there is no use in an editor without memory for a line.
void *cle_allocate(void *old, size_t count);

/// The text as wide characters, to be freed by the caller.
wchar_t *cle_wide(const char *text);

/// The text as UTF-8 in `*buffer`, which grows as needed; returns the count of bytes.
size_t cle_narrow(const wchar_t *text, size_t count, char **buffer, size_t *capacity);

#endif

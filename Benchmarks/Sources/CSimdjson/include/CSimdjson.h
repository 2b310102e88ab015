#ifndef C_SIMDJSON_H
#define C_SIMDJSON_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of simdjson, or NULL if it was not installed when this package was built.
const char *_Nullable csimdjson_version(void);

/// A parser of simdjson with its buffers, which it keeps between documents.
typedef struct csimdjson_parser csimdjson_parser;

csimdjson_parser *_Nullable csimdjson_create(void);
void csimdjson_destroy(csimdjson_parser *_Nullable parser);

/// Parses a document into simdjson's DOM and reads every text in it if `reads_strings` is not 0.
///
/// Returns the number of values, or -1 if the text is no JSON.
long csimdjson_parse(csimdjson_parser *_Nonnull parser, const unsigned char *_Nonnull text, size_t count,
                     int reads_strings);

#ifdef __cplusplus
}
#endif

#endif

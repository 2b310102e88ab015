#ifndef VARIANTS_H
#define VARIANTS_H

#include "CTokens.h"

// The same search, compiled once for each instruction set. Each variant's file defines 64 bytes and
// their comparisons, and includes `search.h`.
typedef size_t flux_token_finder(
    const void *text, size_t count, flux_token_search *search, uint32_t *places, size_t room);

flux_token_finder flux_find_tokens_portable;
flux_token_finder flux_find_tokens_sse2;
flux_token_finder flux_find_tokens_avx2;
flux_token_finder flux_find_tokens_avx512;
flux_token_finder flux_find_tokens_neon;

#define INLINE static inline __attribute__((always_inline))

#endif

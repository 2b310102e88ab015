// The token search with the instructions that every processor of this architecture has.
#if defined(__x86_64__)
#include "words.h"

#include <emmintrin.h>

typedef struct {
  __m128i part[4];
} bytes64;
typedef bytes64 matches;

#define EACH(result, expression) \
  bytes64 result; \
  for (int i = 0; i < 4; i++) result.part[i] = (expression); \
  return result

INLINE __m128i fill(unsigned char byte) { return _mm_set1_epi8((char)byte); }
INLINE bytes64 load64(const unsigned char *bytes) {
  EACH(loaded, _mm_loadu_si128((const __m128i *)(bytes + 16 * i)));
}
INLINE bytes64 with_bits(bytes64 a, unsigned char byte) {
  EACH(all, _mm_or_si128(a.part[i], fill(byte)));
}
INLINE matches same(bytes64 a, unsigned char byte) {
  EACH(found, _mm_cmpeq_epi8(a.part[i], fill(byte)));
}
INLINE matches at_least(bytes64 a, unsigned char byte) {
  EACH(found, _mm_cmpeq_epi8(_mm_max_epu8(a.part[i], fill(byte)), a.part[i]));
}
INLINE matches at_most(bytes64 a, unsigned char byte) {
  EACH(found, _mm_cmpeq_epi8(_mm_min_epu8(a.part[i], fill(byte)), a.part[i]));
}
INLINE matches either(matches a, matches b) { EACH(found, _mm_or_si128(a.part[i], b.part[i])); }
INLINE uint64_t bits(matches a) {
  uint64_t found = 0;
  for (int i = 0; i < 4; i++) {
    found |= (uint64_t)(uint32_t)_mm_movemask_epi8(a.part[i]) << (16 * i);
  }
  return found;
}
INLINE uint64_t parity(uint64_t bits) { return parity_by_shifts(bits); }
INLINE void write_places(uint64_t tokens, uint32_t start, uint32_t *places) {
  write_places_by_eights(tokens, start, places);
}

#define FIND_TOKENS flux_find_tokens_sse2
#include "search.h"
#endif

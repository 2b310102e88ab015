// The token search with 32-byte registers (Haswell, Zen and later).
#if defined(__x86_64__)
#include "variants.h"

#include <immintrin.h>

#pragma clang attribute push( \
    __attribute__((target("avx2,bmi,bmi2,popcnt,pclmul"))), apply_to = function)

typedef struct {
  __m256i low, high;
} bytes64;
typedef bytes64 matches;

INLINE __m256i fill(unsigned char byte) { return _mm256_set1_epi8((char)byte); }
INLINE bytes64 load64(const unsigned char *bytes) {
  const __m256i *parts = (const __m256i *)bytes;
  return (bytes64){_mm256_loadu_si256(parts), _mm256_loadu_si256(parts + 1)};
}
INLINE bytes64 with_bits(bytes64 a, unsigned char byte) {
  return (bytes64){_mm256_or_si256(a.low, fill(byte)), _mm256_or_si256(a.high, fill(byte))};
}
INLINE matches equal(bytes64 a, bytes64 b) {
  return (matches){_mm256_cmpeq_epi8(a.low, b.low), _mm256_cmpeq_epi8(a.high, b.high)};
}
INLINE matches same(bytes64 a, unsigned char byte) {
  return equal(a, (bytes64){fill(byte), fill(byte)});
}
INLINE matches at_least(bytes64 a, unsigned char byte) {
  bytes64 larger = {_mm256_max_epu8(a.low, fill(byte)), _mm256_max_epu8(a.high, fill(byte))};
  return equal(a, larger);
}
INLINE matches at_most(bytes64 a, unsigned char byte) {
  bytes64 smaller = {_mm256_min_epu8(a.low, fill(byte)), _mm256_min_epu8(a.high, fill(byte))};
  return equal(a, smaller);
}
INLINE matches either(matches a, matches b) {
  return (matches){_mm256_or_si256(a.low, b.low), _mm256_or_si256(a.high, b.high)};
}
INLINE uint64_t bits(matches a) {
  uint64_t high = (uint32_t)_mm256_movemask_epi8(a.high);
  return high << 32 | (uint32_t)_mm256_movemask_epi8(a.low);
}

/// Computes the parity by a carry-less multiplication by all ones.
INLINE uint64_t parity(uint64_t bits) {
  __m128i product =
      _mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)bits), _mm_set1_epi8((char)0xFF), 0);
  return (uint64_t)_mm_cvtsi128_si64(product);
}

/// The positions of the set bits of every byte value, padded with zeros.
static uint8_t places_of_bits[256][8];

__attribute__((constructor)) static void fill_places(void) {
  for (int byte = 0; byte < 256; byte++) {
    uint8_t *next = places_of_bits[byte];
    for (int bit = 0; bit < 8; bit++) {
      if (byte >> bit & 1) *next++ = (uint8_t)bit;
    }
  }
}

INLINE void write_places(uint64_t tokens, uint32_t start, uint32_t *places) {
#pragma clang loop unroll(full)
  for (uint32_t shift = 0; shift < flux_token_stride; shift += 8) {
    uint8_t byte = (uint8_t)(tokens >> shift);
    __m128i offsets = _mm_loadl_epi64((const __m128i *)places_of_bits[byte]);
    __m256i found = _mm256_add_epi32(
        _mm256_cvtepu8_epi32(offsets), _mm256_set1_epi32((int32_t)(start + shift)));
    _mm256_storeu_si256((__m256i *)places, found);
    places += __builtin_popcount(byte);
  }
}

#define FIND_TOKENS flux_find_tokens_avx2
#include "search.h"

#pragma clang attribute pop
#endif

// The token search with 64-byte registers and masks (Ice Lake, Zen 4 and later).
#if defined(__x86_64__)
#include "variants.h"

#include <immintrin.h>

#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512vbmi2,avx2,bmi,bmi2,popcnt,pclmul"))), \
    apply_to = function)

typedef __m512i bytes64;
typedef __mmask64 matches;

INLINE __m512i fill(unsigned char byte) { return _mm512_set1_epi8((char)byte); }
INLINE bytes64 load64(const unsigned char *bytes) { return _mm512_loadu_si512(bytes); }
INLINE bytes64 with_bits(bytes64 a, unsigned char byte) { return _mm512_or_si512(a, fill(byte)); }
INLINE matches same(bytes64 a, unsigned char byte) { return _mm512_cmpeq_epi8_mask(a, fill(byte)); }
INLINE matches at_least(bytes64 a, unsigned char byte) {
  return _mm512_cmpge_epu8_mask(a, fill(byte));
}
INLINE matches at_most(bytes64 a, unsigned char byte) {
  return _mm512_cmple_epu8_mask(a, fill(byte));
}
INLINE matches either(matches a, matches b) { return a | b; }
INLINE uint64_t bits(matches a) { return a; }

/// Computes the parity by a carry-less multiplication by all ones.
INLINE uint64_t parity(uint64_t bits) {
  __m128i product =
      _mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)bits), _mm_set1_epi8((char)0xFF), 0);
  return (uint64_t)_mm_cvtsi128_si64(product);
}

/// The offsets from 0 to 63.
INLINE __m512i every_offset(void) {
  return _mm512_set_epi8(
      63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40,
      39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

/// Writes sixteen places: `start` plus each of sixteen offsets.
INLINE void write_sixteen(__m128i offsets, uint32_t start, uint32_t *places) {
  __m512i found = _mm512_add_epi32(
      _mm512_cvtepu8_epi32(offsets), _mm512_set1_epi32((int32_t)start));
  _mm512_storeu_si512(places, found);
}

/// Writes up to four groups of sixteen places; most texts need only the first two.
INLINE void write_places(uint64_t tokens, uint32_t start, uint32_t *places) {
  __m512i offsets = _mm512_maskz_compress_epi8(tokens, every_offset());
  write_sixteen(_mm512_castsi512_si128(offsets), start, places);
  write_sixteen(_mm512_extracti32x4_epi32(offsets, 1), start, places + 16);
  if (__builtin_popcountll(tokens) > 32) {
    write_sixteen(_mm512_extracti32x4_epi32(offsets, 2), start, places + 32);
    write_sixteen(_mm512_extracti32x4_epi32(offsets, 3), start, places + 48);
  }
}

#define FIND_TOKENS flux_find_tokens_avx512
#include "search.h"

#pragma clang attribute pop
#endif

// The search for tokens with registers of 64 bytes and masks (Ice Lake, Zen 4, and later ones).
#if defined(__x86_64__)
#include "variants.h"

#include <immintrin.h>

#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx2,bmi,bmi2,popcnt,pclmul"))), \
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

/// By a multiplication without carry by all ones.
INLINE uint64_t parity(uint64_t bits) {
  __m128i product =
      _mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)bits), _mm_set1_epi8((char)0xFF), 0);
  return (uint64_t)_mm_cvtsi128_si64(product);
}

INLINE void write_places(uint64_t tokens, uint32_t start, uint32_t *places) {
  const __m512i offsets =
      _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#pragma clang loop unroll(full)
  for (uint32_t shift = 0; shift < flux_token_stride; shift += 16) {
    __mmask16 part = (__mmask16)(tokens >> shift);
    __m512i all = _mm512_add_epi32(offsets, _mm512_set1_epi32((int32_t)(start + shift)));
    // Into a register first: some processors take a hundred times as long to write it at once.
    _mm512_storeu_si512(places, _mm512_maskz_compress_epi32(part, all));
    places += __builtin_popcount(part);
  }
}

#define FIND_TOKENS flux_find_tokens_avx512
#include "search.h"

#pragma clang attribute pop
#endif

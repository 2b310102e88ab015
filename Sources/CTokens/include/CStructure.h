#ifndef CSTRUCTURE_H
#define CSTRUCTURE_H

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

/// The quotes, backslashes and brackets among 64 bytes: one bit for each byte, the first byte
/// lowest.
typedef struct {
  uint64_t quotes;
  uint64_t backslashes;
  uint64_t opening;
  uint64_t closing;
} flux_structure;

#if defined(__SSE2__)
static inline uint64_t flux_equal16(__m128i bytes, char byte) {
  return (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte)));
}
#elif defined(__ARM_NEON)
static inline uint64_t flux_equal16(uint8x16_t bytes, uint8_t byte) {
  const uint8x16_t bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t found = vandq_u8(vceqq_u8(bytes, vdupq_n_u8(byte)), bit);
  return (uint64_t)vaddv_u8(vget_low_u8(found)) | (uint64_t)vaddv_u8(vget_high_u8(found)) << 8;
}
#endif

/// Finds the quotes, backslashes and brackets among 64 bytes, all of which must be readable.
///
/// This is C, because Swift cannot turn compared bytes into a mask. Working on eight bytes at a
/// time in ordinary registers takes four times as long. Square and curly brackets differ in only
/// one bit (0x20), so one comparison finds both.
static inline flux_structure flux_structure_of(const void *start) {
  flux_structure found = {0, 0, 0, 0};
  const unsigned char *bytes = (const unsigned char *)start;
#if defined(__SSE2__)
  for (int part = 0; part < 4; part++) {
    __m128i block = _mm_loadu_si128((const __m128i *)(bytes + 16 * part));
    __m128i folded = _mm_or_si128(block, _mm_set1_epi8(0x20));
    found.quotes |= flux_equal16(block, 0x22) << (16 * part);
    found.backslashes |= flux_equal16(block, 0x5C) << (16 * part);
    found.opening |= flux_equal16(folded, 0x7B) << (16 * part);
    found.closing |= flux_equal16(folded, 0x7D) << (16 * part);
  }
#elif defined(__ARM_NEON)
  for (int part = 0; part < 4; part++) {
    uint8x16_t block = vld1q_u8(bytes + 16 * part);
    uint8x16_t folded = vorrq_u8(block, vdupq_n_u8(0x20));
    found.quotes |= flux_equal16(block, 0x22) << (16 * part);
    found.backslashes |= flux_equal16(block, 0x5C) << (16 * part);
    found.opening |= flux_equal16(folded, 0x7B) << (16 * part);
    found.closing |= flux_equal16(folded, 0x7D) << (16 * part);
  }
#else
  for (int place = 0; place < 64; place++) {
    unsigned char byte = bytes[place], folded = byte | 0x20;
    found.quotes |= (uint64_t)(byte == 0x22) << place;
    found.backslashes |= (uint64_t)(byte == 0x5C) << place;
    found.opening |= (uint64_t)(folded == 0x7B) << place;
    found.closing |= (uint64_t)(folded == 0x7D) << place;
  }
#endif
  return found;
}

#endif

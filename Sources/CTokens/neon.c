// The token search with the instructions that every processor of this architecture has.
#if defined(__aarch64__)
#include "words.h"

#include <arm_neon.h>

typedef uint8x16x4_t bytes64;
typedef uint8x16x4_t matches;

#define EACH(result, expression) \
  uint8x16x4_t result; \
  for (int i = 0; i < 4; i++) result.val[i] = (expression); \
  return result

INLINE bytes64 load64(const unsigned char *bytes) { EACH(loaded, vld1q_u8(bytes + 16 * i)); }
INLINE bytes64 with_bits(bytes64 a, unsigned char byte) {
  EACH(all, vorrq_u8(a.val[i], vdupq_n_u8(byte)));
}
INLINE matches same(bytes64 a, unsigned char byte) {
  EACH(found, vceqq_u8(a.val[i], vdupq_n_u8(byte)));
}
INLINE matches at_least(bytes64 a, unsigned char byte) {
  EACH(found, vcgeq_u8(a.val[i], vdupq_n_u8(byte)));
}
INLINE matches at_most(bytes64 a, unsigned char byte) {
  EACH(found, vcleq_u8(a.val[i], vdupq_n_u8(byte)));
}
INLINE matches either(matches a, matches b) { EACH(found, vorrq_u8(a.val[i], b.val[i])); }

/// Gives each matching byte the bit of its position among eight, then adds neighbours three times.
INLINE uint64_t bits(matches a) {
  const uint8x16_t bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t low = vpaddq_u8(vandq_u8(a.val[0], bit), vandq_u8(a.val[1], bit));
  uint8x16_t high = vpaddq_u8(vandq_u8(a.val[2], bit), vandq_u8(a.val[3], bit));
  uint8x16_t sums = vpaddq_u8(low, high);
  sums = vpaddq_u8(sums, sums);
  return vgetq_lane_u64(vreinterpretq_u64_u8(sums), 0);
}
INLINE uint64_t parity(uint64_t bits) { return parity_by_shifts(bits); }
INLINE void write_places(uint64_t tokens, uint32_t start, uint32_t *places) {
  write_places_by_eights(tokens, start, places);
}

#define FIND_TOKENS flux_find_tokens_neon
#include "search.h"
#endif

// The token search without special instructions.
#include "words.h"

typedef struct {
  unsigned char byte[flux_token_stride];
} bytes64;
typedef uint64_t matches;

INLINE bytes64 load64(const unsigned char *bytes) {
  bytes64 loaded;
  for (int place = 0; place < flux_token_stride; place++) loaded.byte[place] = bytes[place];
  return loaded;
}
INLINE bytes64 with_bits(bytes64 a, unsigned char byte) {
  for (int place = 0; place < flux_token_stride; place++) a.byte[place] |= byte;
  return a;
}
INLINE matches same(bytes64 a, unsigned char byte) {
  matches found = 0;
  for (int place = 0; place < flux_token_stride; place++) {
    found |= (uint64_t)(a.byte[place] == byte) << place;
  }
  return found;
}
INLINE matches at_least(bytes64 a, unsigned char byte) {
  matches found = 0;
  for (int place = 0; place < flux_token_stride; place++) {
    found |= (uint64_t)(a.byte[place] >= byte) << place;
  }
  return found;
}
INLINE matches at_most(bytes64 a, unsigned char byte) {
  matches found = 0;
  for (int place = 0; place < flux_token_stride; place++) {
    found |= (uint64_t)(a.byte[place] <= byte) << place;
  }
  return found;
}
INLINE matches either(matches a, matches b) { return a | b; }
INLINE uint64_t bits(matches a) { return a; }
INLINE uint64_t parity(uint64_t bits) { return parity_by_shifts(bits); }
INLINE void write_places(uint64_t tokens, uint32_t start, uint32_t *places) {
  write_places_by_eights(tokens, start, places);
}

#define FIND_TOKENS flux_find_tokens_portable
#include "search.h"

// Helpers that need only 64-bit registers.
#ifndef WORDS_H
#define WORDS_H

#include "variants.h"

/// Returns a word with a bit set if the number of set bits up to and including it is odd.
INLINE uint64_t parity_by_shifts(uint64_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  bits ^= bits << 32;
  return bits;
}

/// Writes the places of the set bits, eight at a time.
///
/// A processor cannot predict how many there are, so a loop over single bits would be slower.
INLINE void write_places_by_eights(uint64_t tokens, uint32_t start, uint32_t *places) {
  while (tokens != 0) {
#pragma clang loop unroll(full)
    for (int offset = 0; offset < 8; offset++) {
      // A single instruction, if the processor has one that counts 64 zeros in 0.
      places[offset] = start + (tokens == 0 ? 64 : (uint32_t)__builtin_ctzll(tokens));
      tokens &= tokens - 1;
    }
    places += 8;
  }
}

#endif

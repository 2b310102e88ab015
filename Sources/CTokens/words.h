// What needs no more than registers of 64 bits.
#ifndef WORDS_H
#define WORDS_H

#include "variants.h"

/// For each bit, whether it and those before it are odd in number.
INLINE uint64_t parity_by_shifts(uint64_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  bits ^= bits << 32;
  return bits;
}

/// Writes the places of the bits that are set, eight at a time, as how many there are no processor
/// can predict.
INLINE void write_places_by_eights(uint64_t tokens, uint32_t start, uint32_t *places) {
  while (tokens != 0) {
#pragma clang loop unroll(full)
    for (int offset = 0; offset < 8; offset++) {
      // One instruction where the processor has one that counts the zeros of zero as 64.
      places[offset] = start + (tokens == 0 ? 64 : (uint32_t)__builtin_ctzll(tokens));
      tokens &= tokens - 1;
    }
    places += 8;
  }
}

#endif

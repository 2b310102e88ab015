#ifndef CTOKENS_H
#define CTOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CStructure.h"

/// The progress of a token search; all zeros at the beginning of a text.
typedef struct {
  /// The offset of the first byte that was not searched; past the end of the text if all were.
  size_t position;
  /// All ones if `position` is inside a string, otherwise zero.
  uint64_t in_string;
  /// 1 if a backslash before `position` escapes the byte at `position`.
  uint64_t escaped;
  /// 1 if the byte before `position` is outside strings and not a bracket, comma, colon, quote or
  /// whitespace.
  uint64_t in_scalar;
  /// One bit for each of the next bytes that must continue a non-ASCII character.
  uint64_t pending;
  /// True if there was a backslash since the caller last set this to false.
  bool has_escapes;
  /// True if the bytes at `position` contain an invalid control character or invalid UTF-8.
  bool has_fault;
} flux_token_search;

enum {
  /// The number of bytes searched at a time.
  flux_token_stride = 64,
  /// The largest number of places written at once; those after the last token are garbage.
  flux_token_group = 16
};

/// Finds tokens from the current position of a search, 64 bytes at a time.
///
/// Writes the offsets of the tokens to `places` and returns their number.
///
/// A token is a bracket, a comma, a colon, a quote, or the first byte of anything else outside
/// strings. (Outside strings, `Y`, `_`, `y` and delete count as brackets.)
///
/// The search stops at the end of the text, at a fault, or if the tokens of another 64 bytes may
/// not fit. `room` is the capacity of `places`, which is at least a stride and a group.
size_t flux_find_tokens(
    const void *text, size_t count, flux_token_search *search, uint32_t *places, size_t room);

/// The instruction sets that the search is written for, from portable code to the most specific.
typedef enum {
  flux_token_portable,
  flux_token_sse2,
  flux_token_avx2,
  flux_token_avx512,
  flux_token_neon
} flux_token_instructions;

enum { flux_token_instructions_count = flux_token_neon + 1 };

/// Returns true if this processor has the instructions and the search was compiled for them.
bool flux_has_token_instructions(flux_token_instructions instructions);

/// Does the same as `flux_find_tokens` with the given instructions.
///
/// The processor must have them. `flux_find_tokens` uses the last in the list that the processor
/// has.
size_t flux_find_tokens_by(
    flux_token_instructions instructions, const void *text, size_t count,
    flux_token_search *search, uint32_t *places, size_t room);

#endif

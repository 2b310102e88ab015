#ifndef CTOKENS_H
#define CTOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CStructure.h"

/// How far the search for the tokens of a text has come; zeros at its beginning.
typedef struct {
  /// The first byte that was not looked at; after the end of the text where all were.
  size_t position;
  /// All ones where a string goes on there, or zero.
  uint64_t in_string;
  /// 1 where the byte before escapes the next one.
  uint64_t escaped;
  /// 1 where the byte before is outside of strings, and neither a blank nor a token.
  uint64_t in_scalar;
  /// Where a character beyond ASCII goes on, a bit for each of the next bytes.
  uint64_t pending;
  /// Whether there was a backslash, since the caller last set this to false.
  bool has_escapes;
  /// Whether the bytes at `position` have a fault: a control that may not stand there, or
  /// something that is not UTF-8.
  bool has_fault;
} flux_token_search;

enum {
  /// How many bytes are looked at together.
  flux_token_stride = 64,
  /// How many places are written at once, of which all but the found ones are nonsense.
  flux_token_group = 16
};

/// Looks at a text from where the search is, 64 bytes after the other, and writes the places of the
/// tokens in them, of which it returns the number.
///
/// A token is a bracket, a comma, a colon, a quote, or the first byte of anything else that is
/// outside of strings. (Outside of strings, `Y`, `_`, `y` and delete count as brackets.)
///
/// It ends where the text does, at a fault, or when there may be no room for the tokens of 64 bytes
/// more: `room` is for how many places there is memory, and at least a stride and a group.
size_t flux_find_tokens(
    const void *text, size_t count, flux_token_search *search, uint32_t *places, size_t room);

/// The instructions that the search is written for, from none in particular on.
typedef enum {
  flux_token_portable,
  flux_token_sse2,
  flux_token_avx2,
  flux_token_avx512,
  flux_token_neon
} flux_token_instructions;

enum { flux_token_instructions_count = flux_token_neon + 1 };

/// Whether this processor has them, and the search was compiled for them.
bool flux_has_token_instructions(flux_token_instructions instructions);

/// The same as `flux_find_tokens`, which takes the last ones that the processor has.
size_t flux_find_tokens_by(
    flux_token_instructions instructions, const void *text, size_t count,
    flux_token_search *search, uint32_t *places, size_t room);

#endif

#ifndef CTOKENS_H
#define CTOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
  /// Whether there was a backslash.
  bool has_escapes;
  /// Whether the bytes at `position` have a fault: a control that may not stand there, or
  /// something that is not UTF-8.
  bool has_fault;
} flux_token_search;

enum {
  /// How many bytes are looked at together.
  flux_token_stride = 64,
  /// How many places are written at once, of which all but the found ones are nonsense.
  flux_token_group = 8
};

/// Looks at `strides` times 64 bytes of a text, or at what is left of it, and writes the places of
/// the tokens in them, of which it returns the number.
///
/// A token is a bracket, a comma, a colon, a quote, or the first byte of anything else that is
/// outside of strings. (Outside of strings, `Y`, `_`, `y` and delete count as brackets.) `places`
/// has to have room for as many places as bytes are looked at, and a group more.
size_t flux_find_tokens(
    const void *text, size_t count, flux_token_search *search, size_t strides, uint32_t *places);

#endif

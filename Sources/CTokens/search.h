// Finds the tokens of a JSON text, 64 bytes at a time, after Langdale and Lemire, "Parsing
// gigabytes of JSON per second" (2019), section 3.1. This is C, because Swift cannot turn compared
// bytes into a mask and cannot select code by the processor's features.
//
// The file that includes this one first defines:
//   bytes64    64 bytes, with `load64` and `with_bits` (sets bits in each byte)
//   matches    the result for each byte of `same`, `at_least` and `at_most`, with `either` (the
//              union of two) and `bits` (a bit for each byte, the first byte lowest)
//   parity     for each of 64 bits, 1 if the number of set bits up to and including it is odd
//   write_places   writes the places of the set bits; the places after them may be garbage
//   FIND_TOKENS    the name of the function
#include <string.h>

/// Returns true if `second` may follow `first`, one of the bytes that restrict what follows them.
static bool is_sound_pair(unsigned char first, unsigned char second) {
  switch (first) {
  case 0xE0: return second >= 0xA0;
  case 0xED: return second < 0xA0;
  case 0xF0: return second >= 0x90;
  case 0xF4: return second < 0x90;
  default: return false;
  }
}

/// Returns true if the non-ASCII bytes are valid UTF-8 (The Unicode Standard, table 3-7), as far as
/// these 64 bytes show.
///
/// `room` is the number of bytes from the first of them to the end of the text.
INLINE bool are_sequences(
    bytes64 part, const unsigned char *bytes, size_t room, uint64_t beyond, uint64_t *pending) {
  uint64_t second = bits(at_least(part, 0xC0)), third = bits(at_least(part, 0xE0)), fourth = 0;
  // UTF-8 never contains 0xC0, 0xC1, or 0xF5 and above.
  matches unusual = same(with_bits(part, 0x01), 0xC1);
  if (third != 0) {
    fourth = bits(at_least(part, 0xF0));
    matches threes = either(same(part, 0xE0), same(part, 0xED));
    matches fours = either(same(part, 0xF0), at_least(part, 0xF4));
    unusual = either(unusual, either(threes, fours));
  }
  uint64_t expected = *pending | second << 1 | third << 2 | fourth << 3;
  *pending = second >> 63 | third >> 62 | fourth >> 61;
  if (expected != (beyond & ~second)) return false;
  for (uint64_t rest = bits(unusual); rest != 0; rest &= rest - 1) {
    size_t place = (size_t)__builtin_ctzll(rest);
    if (place + 1 >= room || !is_sound_pair(bytes[place], bytes[place + 1])) return false;
  }
  return true;
}

/// Returns the escaped bytes: those after every other backslash of a run, beginning with its first.
static uint64_t escaped_by(uint64_t backslashes, flux_token_search *search) {
  uint64_t escaped = search->escaped, rest = backslashes & ~search->escaped;
  search->escaped = 0;
  while (rest != 0) {
    uint64_t backslash = rest & (0 - rest);
    search->escaped = backslash >> 63;
    escaped |= backslash << 1;
    rest &= ~(backslash | backslash << 1);
  }
  search->has_escapes = true;
  return escaped;
}

/// Returns true if all control characters are tabs, newlines or carriage returns outside strings.
INLINE bool are_blanks(bytes64 part, uint64_t controls, uint64_t strings) {
  matches ends = either(same(part, '\n'), same(part, '\r'));
  return controls == bits(either(same(part, '\t'), ends)) && (controls & strings) == 0;
}

/// Returns the tokens among 64 bytes, one bit for each byte.
INLINE uint64_t tokens_of(const unsigned char *bytes, size_t room, flux_token_search *search) {
  bytes64 part = load64(bytes);
  uint64_t quotes = bits(same(part, '"')), backslashes = bits(same(part, '\\'));
  if ((backslashes | search->escaped) != 0) quotes &= ~escaped_by(backslashes, search);
  // Each string from its opening quote up to, but not including, its closing quote.
  uint64_t strings = parity(quotes) ^ search->in_string;
  search->in_string = (uint64_t)((int64_t)strings >> 63);
  uint64_t controls = bits(at_most(part, 0x1F));
  if (controls != 0 && !are_blanks(part, controls, strings)) search->has_fault = true;
  uint64_t beyond = bits(at_least(part, 0x80));
  if ((beyond | search->pending) != 0
      && !are_sequences(part, bytes, room, beyond, &search->pending)) {
    search->has_fault = true;
  }
  // The four brackets differ only in the bits 0x26, so one comparison finds all of them.
  matches brackets = same(with_bits(part, 0x26), 0x7F);
  uint64_t operators = bits(either(brackets, either(same(part, ','), same(part, ':'))));
  uint64_t blanks = controls | bits(same(part, ' '));
  uint64_t scalars = ~(operators | blanks | quotes | strings);
  uint64_t starts = scalars & ~(scalars << 1 | search->in_scalar);
  search->in_scalar = scalars >> 63;
  return (operators & ~strings) | quotes | starts;
}

size_t FIND_TOKENS(
    const void *text, size_t count, flux_token_search *search, uint32_t *places, size_t room) {
  flux_token_search now = *search;
  uint32_t *end = places, *last_start = places + room - (flux_token_stride + flux_token_group);
  while (now.position < count && end <= last_start && !now.has_fault) {
    const unsigned char *bytes = (const unsigned char *)text + now.position;
    size_t left = count - now.position;
    unsigned char last[flux_token_stride];
    if (left < flux_token_stride) {
      memset(last, ' ', sizeof last);
      memcpy(last, bytes, left);
      bytes = last;
    }
    uint64_t tokens = tokens_of(bytes, left, &now);
    write_places(tokens, (uint32_t)now.position, end);
    end += __builtin_popcountll(tokens);
    if (!now.has_fault) now.position += flux_token_stride;
  }
  *search = now;
  return (size_t)(end - places);
}

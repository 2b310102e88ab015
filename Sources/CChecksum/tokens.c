// Where the tokens of a JSON text begin, 64 bytes at a time, after Langdale and Lemire, "Parsing
// gigabytes of JSON per second" (2019), section 3.1. C, because Swift has no way to a mask of
// compared bytes, and cannot be told what a processor is able to do: the instructions that those of
// the last ten years have take a third fewer of them than those that all have.
#include "CTokens.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#define INLINE static inline __attribute__((always_inline))

// A block is what is compared at once: of each byte it is found whether something is true of it.
#if defined(__SSE2__)
typedef __m128i block;
enum { block_size = 16 };

INLINE block load(const unsigned char *bytes) { return _mm_loadu_si128((const __m128i *)bytes); }
INLINE block fill(unsigned char byte) { return _mm_set1_epi8((char)byte); }
INLINE block either(block a, block b) { return _mm_or_si128(a, b); }
INLINE block same(block a, unsigned char byte) { return _mm_cmpeq_epi8(a, fill(byte)); }
INLINE block at_least(block a, unsigned char byte) {
  return _mm_cmpeq_epi8(_mm_max_epu8(a, fill(byte)), a);
}
INLINE block at_most(block a, unsigned char byte) {
  return _mm_cmpeq_epi8(_mm_min_epu8(a, fill(byte)), a);
}
INLINE uint64_t high_bits(block a) { return (uint32_t)_mm_movemask_epi8(a); }
#elif defined(__ARM_NEON)
typedef uint8x16_t block;
enum { block_size = 16 };

INLINE block load(const unsigned char *bytes) { return vld1q_u8(bytes); }
INLINE block fill(unsigned char byte) { return vdupq_n_u8(byte); }
INLINE block either(block a, block b) { return vorrq_u8(a, b); }
INLINE block same(block a, unsigned char byte) { return vceqq_u8(a, fill(byte)); }
INLINE block at_least(block a, unsigned char byte) { return vcgeq_u8(a, fill(byte)); }
INLINE block at_most(block a, unsigned char byte) { return vcleq_u8(a, fill(byte)); }
INLINE uint64_t high_bits(block a) {
  const block bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  block found = vandq_u8(at_least(a, 0x80), bit);
  return (uint64_t)vaddv_u8(vget_low_u8(found)) | (uint64_t)vaddv_u8(vget_high_u8(found)) << 8;
}
#else
typedef unsigned char block;
enum { block_size = 1 };

INLINE block load(const unsigned char *bytes) { return *bytes; }
INLINE block fill(unsigned char byte) { return byte; }
INLINE block either(block a, block b) { return a | b; }
INLINE block same(block a, unsigned char byte) { return a == byte ? 0xFF : 0; }
INLINE block at_least(block a, unsigned char byte) { return a >= byte ? 0xFF : 0; }
INLINE block at_most(block a, unsigned char byte) { return a <= byte ? 0xFF : 0; }
INLINE uint64_t high_bits(block a) { return a >> 7; }
#endif

/// What 64 bytes are: in each member a bit for each byte, the first byte lowest.
typedef struct {
  uint64_t quotes;
  uint64_t backslashes;
  /// Brackets, commas and colons. The four brackets differ from each other in the bits 0x26 only,
  /// and are looked for as one.
  uint64_t operators;
  /// 0x00 to 0x20, and without the blank.
  uint64_t blanks;
  uint64_t controls;
  /// Parts of characters beyond ASCII.
  uint64_t beyond;
} characters;

INLINE characters characters_of(const unsigned char *bytes) {
  characters found = {0, 0, 0, 0, 0, 0};
#pragma clang loop unroll(full)
  for (int start = 0; start < flux_token_stride; start += block_size) {
    block part = load(bytes + start);
    block brackets = same(either(part, fill(0x26)), 0x7F);
    block others = either(same(part, ','), same(part, ':'));
    found.quotes |= high_bits(same(part, '"')) << start;
    found.backslashes |= high_bits(same(part, '\\')) << start;
    found.operators |= high_bits(either(brackets, others)) << start;
    found.blanks |= high_bits(at_most(part, 0x20)) << start;
    found.controls |= high_bits(at_most(part, 0x1F)) << start;
    found.beyond |= high_bits(part) << start;
  }
  return found;
}

/// Tabs, newlines and carriage returns.
INLINE uint64_t line_blanks_of(const unsigned char *bytes) {
  uint64_t found = 0;
#pragma clang loop unroll(full)
  for (int start = 0; start < flux_token_stride; start += block_size) {
    block part = load(bytes + start);
    block ends = either(same(part, '\n'), same(part, '\r'));
    found |= high_bits(either(same(part, '\t'), ends)) << start;
  }
  return found;
}

/// Whether a second byte may stand after a first one that not all continuations may follow.
static bool is_sound_pair(unsigned char first, unsigned char second) {
  switch (first) {
  case 0xE0: return second >= 0xA0;
  case 0xED: return second < 0xA0;
  case 0xF0: return second >= 0x90;
  case 0xF4: return second < 0x90;
  default: return false;
  }
}

/// Whether bytes beyond ASCII are UTF-8 (The Unicode Standard, table 3-7), as far as 64 bytes tell;
/// `room` is how many bytes there are in the text from the first of them on.
INLINE bool are_sequences(
    const unsigned char *bytes, size_t room, uint64_t beyond, uint64_t *pending) {
  uint64_t second = 0, third = 0, fourth = 0, unusual = 0;
#pragma clang loop unroll(full)
  for (int start = 0; start < flux_token_stride; start += block_size) {
    block part = load(bytes + start);
    // Nowhere in UTF-8 are 0xC0, 0xC1, and 0xF5 and above.
    block never = either(same(either(part, fill(0x01)), 0xC1), at_least(part, 0xF4));
    block threes = either(same(part, 0xE0), same(part, 0xED));
    second |= high_bits(at_least(part, 0xC0)) << start;
    third |= high_bits(at_least(part, 0xE0)) << start;
    fourth |= high_bits(at_least(part, 0xF0)) << start;
    unusual |= high_bits(either(either(never, threes), same(part, 0xF0))) << start;
  }
  uint64_t expected = *pending | second << 1 | third << 2 | fourth << 3;
  *pending = second >> 63 | third >> 62 | fourth >> 61;
  if (expected != (beyond & ~second)) return false;
  for (; unusual != 0; unusual &= unusual - 1) {
    size_t place = (size_t)__builtin_ctzll(unusual);
    if (place + 1 >= room || !is_sound_pair(bytes[place], bytes[place + 1])) return false;
  }
  return true;
}

/// The bytes that are escaped: those after every other backslash of a run, from its first one on.
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

/// For each bit, whether it and those before it are odd in number.
INLINE uint64_t parity(uint64_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  bits ^= bits << 32;
  return bits;
}

/// The tokens among 64 bytes, a bit for each.
INLINE uint64_t tokens_of(const unsigned char *bytes, size_t room, flux_token_search *search) {
  characters found = characters_of(bytes);
  uint64_t quotes = found.quotes;
  if ((found.backslashes | search->escaped) != 0) quotes &= ~escaped_by(found.backslashes, search);
  // From each string's first quote to before its last.
  uint64_t strings = parity(quotes) ^ search->in_string;
  search->in_string = (uint64_t)((int64_t)strings >> 63);
  if (found.controls != 0) {
    bool are_blanks = found.controls == line_blanks_of(bytes);
    if (!are_blanks || (found.controls & strings) != 0) search->has_fault = true;
  }
  if ((found.beyond | search->pending) != 0
      && !are_sequences(bytes, room, found.beyond, &search->pending)) {
    search->has_fault = true;
  }
  uint64_t scalars = ~(found.operators | found.blanks | quotes | strings);
  uint64_t starts = scalars & ~(scalars << 1 | search->in_scalar);
  search->in_scalar = scalars >> 63;
  return (found.operators & ~strings) | quotes | starts;
}

/// Writes the places of the bits that are set, and returns where the next ones are to be written.
INLINE uint32_t *write_places(uint64_t tokens, uint32_t start, uint32_t *places) {
  uint32_t *end = places + __builtin_popcountll(tokens);
  while (tokens != 0) {
    // A whole group, as how many there are no processor can predict.
#pragma clang loop unroll(full)
    for (int offset = 0; offset < flux_token_group; offset++) {
      // One instruction where the processor has one that counts the zeros of zero as 64.
      places[offset] = start + (tokens == 0 ? 64 : (uint32_t)__builtin_ctzll(tokens));
      tokens &= tokens - 1;
    }
    places += flux_token_group;
  }
  return end;
}

INLINE size_t find_tokens(
    const unsigned char *text, size_t count, flux_token_search *search, size_t strides,
    uint32_t *places) {
  flux_token_search now = *search;
  uint32_t *end = places;
  for (; strides > 0 && now.position < count && !now.has_fault; strides--) {
    const unsigned char *bytes = text + now.position;
    size_t room = count - now.position;
    unsigned char last[flux_token_stride];
    if (room < flux_token_stride) {
      memset(last, ' ', sizeof last);
      memcpy(last, bytes, room);
      bytes = last;
    }
    end = write_places(tokens_of(bytes, room, &now), (uint32_t)now.position, end);
    if (!now.has_fault) now.position += flux_token_stride;
  }
  *search = now;
  return (size_t)(end - places);
}

#if defined(__x86_64__)
__attribute__((target("avx2,bmi,bmi2,popcnt"))) static size_t find_tokens_today(
    const unsigned char *text, size_t count, flux_token_search *search, size_t strides,
    uint32_t *places) {
  return find_tokens(text, count, search, strides, places);
}

static int is_of_today;

__attribute__((constructor)) static void ask_processor(void) {
  __builtin_cpu_init();
  is_of_today = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
      && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
#endif

size_t flux_find_tokens(
    const void *text, size_t count, flux_token_search *search, size_t strides, uint32_t *places) {
#if defined(__x86_64__)
  if (is_of_today) return find_tokens_today(text, count, search, strides, places);
#endif
  return find_tokens(text, count, search, strides, places);
}

// Selects the best token search for this processor. A search for processors of the last ten years
// executes less than half as many instructions as the baseline that every processor supports.
#include "variants.h"

static bool has_portable(void) { return true; }

#if defined(__x86_64__)
// The builtin also checks that the operating system saves the registers.
static bool has_avx2(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
      && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt")
      && __builtin_cpu_supports("pclmul");
}

static bool has_avx512(void) {
  // avx512.c compresses bytes with VBMI2. This also limits the search to processors (Ice Lake, Zen
  // 4 and later) whose clock does not slow down with these instructions.
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
      && __builtin_cpu_supports("avx512vbmi2");
}
#endif

/// A search and the check of whether this processor supports it; NULL if it was not compiled.
static const struct {
  flux_token_finder *find;
  bool (*is_possible)(void);
} ways[flux_token_instructions_count] = {
    [flux_token_portable] = {flux_find_tokens_portable, has_portable},
#if defined(__x86_64__)
    [flux_token_sse2] = {flux_find_tokens_sse2, has_portable},
    [flux_token_avx2] = {flux_find_tokens_avx2, has_avx2},
    [flux_token_avx512] = {flux_find_tokens_avx512, has_avx512},
#elif defined(__aarch64__)
    [flux_token_neon] = {flux_find_tokens_neon, has_portable},
#endif
};

static flux_token_finder *best = flux_find_tokens_portable;

__attribute__((constructor)) static void ask_processor(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
#endif
  for (int way = 0; way < flux_token_instructions_count; way++) {
    if (flux_has_token_instructions((flux_token_instructions)way)) best = ways[way].find;
  }
}

bool flux_has_token_instructions(flux_token_instructions instructions) {
  return ways[instructions].find != NULL && ways[instructions].is_possible();
}

size_t flux_find_tokens(
    const void *text, size_t count, flux_token_search *search, uint32_t *places, size_t room) {
  return best(text, count, search, places, room);
}

size_t flux_find_tokens_by(
    flux_token_instructions instructions, const void *text, size_t count,
    flux_token_search *search, uint32_t *places, size_t room) {
  return ways[instructions].find(text, count, search, places, room);
}

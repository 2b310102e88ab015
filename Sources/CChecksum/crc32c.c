// CRC-32C as defined in RFC 3720 (iSCSI): polynomial 0x1EDC6F41, reflected, with an initial value and
// a final xor of all ones. Written in C because Swift cannot use the CRC32 instruction. Opening a
// log checks every line; on lines of 112 bytes, the table runs at 3 GB/s and the instruction at
// 33 GB/s.
#include "CChecksum.h"

#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#endif

static uint64_t load64(const unsigned char *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

#if defined(__x86_64__)
static uint32_t load32(const unsigned char *bytes) {
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

static uint16_t load16(const unsigned char *bytes) {
  uint16_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}
#endif

enum { reflected_polynomial = 0x82F63B78 };

// table[k][b]: the checksum of the byte b followed by k zero bytes (slicing by 8, Kounavis and
// Berry 2005).
static uint32_t table[8][256];

static void fill_table(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; bit++) {
      crc = (crc >> 1) ^ ((crc & 1) ? (uint32_t)reflected_polynomial : 0);
    }
    table[0][byte] = crc;
  }
  for (int slice = 1; slice < 8; slice++) {
    for (int byte = 0; byte < 256; byte++) {
      uint32_t previous = table[slice - 1][byte];
      table[slice][byte] = (previous >> 8) ^ table[0][previous & 0xFF];
    }
  }
}

// The instruction has a latency of three cycles and a throughput of one per cycle, so three parallel
// lanes of this many bytes take as long as one lane (Gopal et al., "Fast CRC Computation for iSCSI
// Polynomial Using CRC32 Instruction", 2011). This takes 6 us instead of 14 for 142 KB.
enum { lane = 256 };

// behind_lane[k][b]: the checksum with byte b at place k, after a lane of zeros.
static uint32_t behind_lane[4][256];

static uint32_t by_zeros(uint32_t sum, size_t count) {
  for (; count > 0; count--) sum = (sum >> 8) ^ table[0][sum & 0xFF];
  return sum;
}

__attribute__((constructor)) static void fill_tables(void) {
  fill_table();
  for (int place = 0; place < 4; place++) {
    uint32_t *entries = behind_lane[place];
    for (uint32_t byte = 1; byte < 256; byte++) {
      // The checksum is linear: that of two combined bits is the xor of both checksums.
      uint32_t rest = byte & (byte - 1);
      entries[byte] =
          rest ? entries[rest] ^ entries[byte ^ rest] : by_zeros(byte << 8 * place, lane);
    }
  }
}

#if defined(__x86_64__) || defined(__ARM_FEATURE_CRC32)
static uint32_t pass_lane(uint64_t sum) {
  return behind_lane[0][sum & 0xFF] ^ behind_lane[1][(sum >> 8) & 0xFF]
      ^ behind_lane[2][(sum >> 16) & 0xFF] ^ behind_lane[3][(sum >> 24) & 0xFF];
}
#endif

uint32_t flux_crc32c_table(uint32_t crc, const void *bytes, size_t count) {
  const unsigned char *next = bytes;
  crc = ~crc;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  for (; count >= 8; count -= 8, next += 8) {
    uint64_t word = load64(next) ^ crc;
    crc = table[7][word & 0xFF] ^ table[6][(word >> 8) & 0xFF] ^ table[5][(word >> 16) & 0xFF]
        ^ table[4][(word >> 24) & 0xFF] ^ table[3][(word >> 32) & 0xFF]
        ^ table[2][(word >> 40) & 0xFF] ^ table[1][(word >> 48) & 0xFF] ^ table[0][word >> 56];
  }
#endif
  for (; count > 0; count--, next++) {
    crc = (crc >> 8) ^ table[0][(crc ^ *next) & 0xFF];
  }
  return ~crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t by_instruction(
    uint32_t crc, const unsigned char *next, size_t count) {
  uint64_t sum = ~crc;
  for (; count >= 3 * lane; count -= 3 * lane, next += 3 * lane) {
    uint64_t second = 0, third = 0;
    for (const unsigned char *at = next; at < next + lane; at += 8) {
      sum = _mm_crc32_u64(sum, load64(at));
      second = _mm_crc32_u64(second, load64(at + lane));
      third = _mm_crc32_u64(third, load64(at + 2 * lane));
    }
    sum = pass_lane(pass_lane(sum) ^ second) ^ third;
  }
  for (; count >= 32; count -= 32, next += 32) {
    sum = _mm_crc32_u64(sum, load64(next));
    sum = _mm_crc32_u64(sum, load64(next + 8));
    sum = _mm_crc32_u64(sum, load64(next + 16));
    sum = _mm_crc32_u64(sum, load64(next + 24));
  }
  for (; count >= 8; count -= 8, next += 8) sum = _mm_crc32_u64(sum, load64(next));
  uint32_t rest = (uint32_t)sum;
  if (count & 4) {
    rest = _mm_crc32_u32(rest, load32(next));
    next += 4;
  }
  if (count & 2) {
    rest = _mm_crc32_u16(rest, load16(next));
    next += 2;
  }
  if (count & 1) rest = _mm_crc32_u8(rest, *next);
  return ~rest;
}

static int has_instruction;

__attribute__((constructor)) static void ask_processor(void) {
  __builtin_cpu_init();
  has_instruction = __builtin_cpu_supports("sse4.2") != 0;
}
#elif defined(__ARM_FEATURE_CRC32)
static uint32_t by_instruction(uint32_t crc, const unsigned char *next, size_t count) {
  crc = ~crc;
  for (; count >= 3 * lane; count -= 3 * lane, next += 3 * lane) {
    uint32_t second = 0, third = 0;
    for (const unsigned char *at = next; at < next + lane; at += 8) {
      crc = __crc32cd(crc, load64(at));
      second = __crc32cd(second, load64(at + lane));
      third = __crc32cd(third, load64(at + 2 * lane));
    }
    crc = pass_lane(pass_lane(crc) ^ second) ^ third;
  }
  for (; count >= 8; count -= 8, next += 8) crc = __crc32cd(crc, load64(next));
  for (; count > 0; count--, next++) crc = __crc32cb(crc, *next);
  return ~crc;
}

static const int has_instruction = 1;
#endif

uint32_t flux_crc32c(uint32_t crc, const void *bytes, size_t count) {
#if defined(__x86_64__) || defined(__ARM_FEATURE_CRC32)
  if (has_instruction) return by_instruction(crc, bytes, count);
#endif
  return flux_crc32c_table(crc, bytes, count);
}

#ifndef CCHECKSUM_H
#define CCHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// The CRC-32C (Castagnoli) of `count` bytes that follow data whose checksum is `crc`; 0 to begin.
/// Uses the processor's instruction where it has one, a table otherwise.
uint32_t flux_crc32c(uint32_t crc, const void *bytes, size_t count);

/// The same by the table alone: what machines without the instruction run.
uint32_t flux_crc32c_table(uint32_t crc, const void *bytes, size_t count);

#endif

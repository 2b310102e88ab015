#ifndef CCHECKSUM_H
#define CCHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// Returns the CRC-32C (Castagnoli) of data with the checksum `crc` followed by `count` bytes. Pass 0
/// to start. Uses the processor's instruction if it has one, otherwise a table.
uint32_t flux_crc32c(uint32_t crc, const void *bytes, size_t count);

/// Returns the same, always computed with the table. Machines without the instruction use this.
uint32_t flux_crc32c_table(uint32_t crc, const void *bytes, size_t count);

#endif

#ifndef CVOLUME_H
#define CVOLUME_H

#include <stdbool.h>
#include <stdint.h>

/// The type number of the file system that an open file is on, as in linux/magic.h; 0 if it is unknown.
uint32_t flux_volume_type(int descriptor);

/// True if the system says that an open file is on another machine. Only Apple's systems say so.
bool flux_volume_is_remote(int descriptor);

#endif

#ifndef CFILE_H
#define CFILE_H

#include <stdint.h>

/// Waits until everything written to a file is on the disk; -1 with errno if that fails.
int flux_synchronize(int descriptor);

/// Renames a file unless the new name is taken; -1 with errno if that fails, EEXIST for a taken name.
///
/// ENOSYS, ENOTSUP, EINVAL or EPERM if the system or the file system cannot do it.
int flux_rename_exclusively(const char *from, const char *to);

/// The number of bytes that this process may give a file (RLIMIT_FSIZE); INT64_MAX for no limit.
int64_t flux_file_size_limit(void);

#endif

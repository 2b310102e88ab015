#include "CVolume.h"

#if defined(__linux__)
#include <sys/vfs.h>

uint32_t flux_volume_type(int descriptor) {
  struct statfs status;
  return fstatfs(descriptor, &status) == 0 ? (uint32_t)status.f_type : 0;
}

bool flux_volume_is_remote(int descriptor) {
  (void)descriptor;
  return false;
}
#elif defined(__APPLE__)
#include <sys/mount.h>
#include <sys/param.h>

uint32_t flux_volume_type(int descriptor) {
  (void)descriptor;
  return 0;
}

bool flux_volume_is_remote(int descriptor) {
  struct statfs status;
  return fstatfs(descriptor, &status) == 0 && (status.f_flags & MNT_LOCAL) == 0;
}
#else
uint32_t flux_volume_type(int descriptor) {
  (void)descriptor;
  return 0;
}

bool flux_volume_is_remote(int descriptor) {
  (void)descriptor;
  return false;
}
#endif

// Imports the C library once for every module that uses FluxSystem: its name differs from platform to platform.

#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Glibc
#endif

// Imports the C library once for every module that uses FluxSystem: its name differs from platform to platform.

#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Glibc
#endif

/// The name of the operating system, such as `Linux` or `iOS`.
package var operatingSystemName: String {
  #if os(Linux)
    "Linux"
  #elseif os(macOS)
    "macOS"
  #elseif targetEnvironment(macCatalyst)
    "Mac Catalyst"
  #elseif os(iOS)
    "iOS"
  #elseif os(tvOS)
    "tvOS"
  #elseif os(watchOS)
    "watchOS"
  #elseif os(visionOS)
    "visionOS"
  #else
    "unknown"
  #endif
}

/// `true` if Foundation takes the user's locale from preferences, and not from `LANG` and `LC_ALL`.
package var localeIsPreference: Bool {
  #if canImport(Darwin)
    true
  #else
    false
  #endif
}

/// `true` if the working directory of an app is `/`, in which it cannot write.
package var appsStartInRoot: Bool {
  #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    true
  #else
    false
  #endif
}

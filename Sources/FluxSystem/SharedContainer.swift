/// The containers that apps share with their extensions on Apple's systems.
package enum SharedContainer {
  /// `true` if the system ends a suspended process that holds the lock of a file at the path.
  ///
  /// iOS does so with the exception code 0xdead10cc, and the other systems derived from it, too. The
  /// branch for these systems has not been built here.
  package static func suspendsLockHolders(at path: String) -> Bool {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      isShared(path)
    #else
      false
    #endif
  }

  /// `true` if the path is in a container of an app group.
  static func isShared(_ path: String) -> Bool {
    path.contains("/Containers/Shared/AppGroup/")
  }
}

import Foundation

/// The attributes of a folder that only Apple's systems have.
package enum FileProtection {
  /// Excludes a folder from backups, and lets its new files be written while the device is locked.
  ///
  /// New files in the folder get its protection class. Does nothing on Linux. The branch for Apple's
  /// systems has not been built here.
  ///
  /// - Throws: The error of Foundation if an attribute cannot be set.
  package static func apply(toFolder path: String) throws {
    #if canImport(Darwin)
      var url = URL(filePath: path, directoryHint: .isDirectory)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try url.setResourceValues(values)
      #if !os(macOS)
        try FileManager.default.setAttributes(
          [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
          ofItemAtPath: path)
      #endif
    #endif
  }
}

/// The absolute path of a file, without links, `.` and `..`.
package enum RealPath {
  /// Returns the real path of a file that exists.
  ///
  /// - Throws: ``SystemError`` if the file does not exist, or if a folder of the path cannot be searched.
  package static func of(_ path: String) throws(SystemError) -> String {
    // The text is allocated for the caller, who copies and frees it.
    guard let text = unsafe realpath(path, nil) else { throw SystemError(lastOf: "resolve") }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }
}

extension String {
  /// The last name of a path; the whole text if it has none.
  package var lastPathName: String {
    utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? self
  }
}

/// The line that dispatched an action, as a log names it: `Module/File.swift:12`, or `File.swift:12` in older logs.
struct SourceLine: Sendable, Hashable {
  /// The file, with its module if the log names it.
  let file: SourceFileName
  /// The line, counted from 1.
  let line: Int

  /// Reads the member `at` of a step; nil if it is in another form.
  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...]),
      line > 0, let file = SourceFileName(String(text[..<colon]))
    else { return nil }
    (self.file, self.line) = (file, line)
  }
}

/// The name of a source file in a log.
struct SourceFileName: Sendable, Hashable, CustomStringConvertible {
  /// The module; nil in older logs.
  let module: String?
  /// The name of the file, without folders.
  let base: String

  /// Reads `Module/File.swift` or `File.swift`; folders between the two are left out.
  init?(_ text: String) {
    let parts = text.split(separator: "/")
    guard let base = parts.last else { return nil }
    self.base = String(base)
    module = parts.count > 1 ? String(parts[0]) : nil
  }

  var description: String { module.map { "\($0)/\(base)" } ?? base }
}

import LineEditor

/// A source of command lines.
protocol InputSource {
  /// Gives the next line.
  ///
  /// - Throws: `FileError` where it cannot be read.
  mutating func next() throws(FileError) -> LineResult
}

/// Lines that are there from the beginning: those of `-e` and `-x`.
struct LineList: InputSource {
  private var lines: ArraySlice<String>

  init(_ lines: [String]) {
    self.lines = lines[...]
  }

  mutating func next() -> LineResult { lines.popFirst().map(LineResult.line) ?? .endOfInput }
}

/// Standard input that is no terminal, or has no prompt.
extension PlainReader: InputSource {
  func next() throws(FileError) -> LineResult { try readLine() }
}

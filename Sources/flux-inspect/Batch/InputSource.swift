/// Where command lines come from.
protocol InputSource {
  /// The next line; nil where there are no more.
  mutating func nextLine() -> String?
}

/// Lines that are there from the beginning: those of `-e` and `-x`.
struct LineList: InputSource {
  private var lines: ArraySlice<String>

  init(_ lines: [String]) {
    self.lines = lines[...]
  }

  mutating func nextLine() -> String? { lines.popFirst() }
}

/// Standard input that is no terminal, or has no prompt.
struct StandardInput: InputSource {
  mutating func nextLine() -> String? { readLine() }
}

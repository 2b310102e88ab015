import FluxLog

/// Where a script writes: results to one side, and all the rest to the other.
package struct ScriptOutput {
  /// How results are written.
  let format: OutputFormatName
  /// Whether results go to a terminal, which obeys some of the signs in them.
  let isTerminal: Bool
  private let palette: Palette
  private var results: ByteSink
  private var diagnostics: TextOutput

  /// Makes an output.
  package init(
    _ format: OutputFormatName, results: ByteSink, diagnostics: ByteSink,
    isTerminal: Bool = false, palette: Palette = .plain, diagnosticsPalette: Palette = .plain
  ) {
    self.format = format
    self.isTerminal = isTerminal
    self.palette = palette
    self.results = results
    self.diagnostics = TextOutput(diagnostics, palette: diagnosticsPalette)
  }

  /// Writes one result: text, or one JSON value.
  mutating func write(_ answer: any Answer) throws {
    // The answer writes to a copy of the sink.
    try results.flush()
    switch format {
    case .text:
      var text = TextOutput(results, palette: palette)
      try answer.write(to: &text)
      try text.flush()
    case .json, .ndjson:
      var json = JSONOutput(results, format == .json ? .pretty : .line)
      try answer.write(to: &json)
      try json.finish()
    }
  }

  /// Writes one line as it is.
  mutating func write(line: [UInt8]) throws {
    results.append(line)
    results.append(UInt8(ascii: "\n"))
    try results.drain()
  }

  /// Says something that is no result.
  mutating func note(_ text: String) throws {
    diagnostics.write("note: ", .heading)
    try diagnostics.line(text)
  }

  /// Says that the end of a log is torn, where it is.
  mutating func note(ofTornEnd log: LogFile) throws {
    if let sentence = log.tornEnd { try note(sentence) }
  }

  /// Says why something failed; returns the code to exit with.
  mutating func fail(_ error: CommandError) throws -> Int32 {
    diagnostics.write("error: ", .error)
    try diagnostics.lines(error.message)
    if let hint = error.hint {
      diagnostics.write("hint: ", .heading)
      try diagnostics.lines(hint)
    }
    return error.exitCode
  }

  /// Hands on all that was written.
  mutating func flush() throws {
    try results.flush()
    try diagnostics.flush()
  }
}

import FluxJSON

/// The place that text goes to, part by part: a terminal or a file, or whatever draws the lines itself.
protocol TextSink {
  /// `true` if something was passed on.
  var hasBegun: Bool { get }

  /// Takes the next part of a line, which has no line end and nothing that must not be shown.
  mutating func append(_ text: String, _ role: TextRole)

  /// Takes a value on several lines, without the end of the last one.
  mutating func append(_ json: JSON) throws

  /// Ends a line, and passes on what there is if that is enough for a piece.
  mutating func endLine() throws

  /// Drops what was not passed on yet.
  mutating func discard()

  /// Passes on all that there is.
  mutating func flush() throws
}

/// Text as bytes, with the colors of a terminal.
struct TerminalSink: TextSink {
  var bytes: ByteSink
  let palette: Palette

  var hasBegun: Bool { bytes.hasBegun }

  mutating func append(_ text: String, _ role: TextRole) {
    let start = palette.starts[role]
    if let start { bytes.append(start) }
    bytes.append(text)
    if start != nil { bytes.append(Palette.end) }
  }

  mutating func append(_ json: JSON) throws {
    try JSONStreamLayout.lay(out: json, to: &bytes)
  }

  mutating func endLine() throws {
    bytes.append(UInt8(ascii: "\n"))
    try bytes.drain()
  }

  mutating func discard() { bytes.discard() }

  mutating func flush() throws { try bytes.flush() }
}

import FluxLog

/// Writes text for people.
///
/// Whatever is written as text, control characters in it are written as escapes (`\u001b`), so
/// that no value of a log can send a terminal anything. Line ends are asked for by name.
package struct TextOutput {
  private var sink: ByteSink
  private let palette: Palette

  /// Makes an output that looks like the palette.
  package init(_ sink: ByteSink, palette: Palette = .plain) {
    self.sink = sink
    self.palette = palette
  }

  /// How many bytes were written.
  package var byteCount: Int { sink.byteCount }

  /// Writes text.
  mutating func write(_ text: String, _ role: TextRole = .plain) {
    guard !text.isEmpty else { return }
    let start = palette.start(of: role)
    if let start { sink.append(start.utf8) }
    append(text)
    if start != nil { sink.append(Palette.end.utf8) }
  }

  /// Ends the line.
  mutating func endLine() throws {
    sink.append(UInt8(ascii: "\n"))
    try sink.drain()
  }

  /// Writes text and ends the line.
  mutating func line(_ text: String, _ role: TextRole = .plain) throws {
    write(text, role)
    try endLine()
  }

  /// Writes text of several lines, each with so many blanks before it.
  mutating func lines(_ text: String, _ role: TextRole = .plain, indent: Int = 0) throws {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if !line.isEmpty { sink.append(repeatElement(UInt8(ascii: " "), count: indent)) }
      try self.line(String(line), role)
    }
  }

  /// Writes a value over as many lines as it takes.
  mutating func value(_ json: JSON) throws {
    var writer = JSONWriter()
    writer.raw(json)
    var layout = JSONLayout(.pretty)
    try layout.append(writer.takeBytes(), to: &sink)
    try endLine()
  }

  /// Hands on all that was written.
  package mutating func flush() throws { try sink.flush() }

  private mutating func append(_ text: String) {
    guard text.unicodeScalars.contains(where: \.isControl) else {
      return sink.append(text.utf8)
    }
    for scalar in text.unicodeScalars {
      if scalar.isControl {
        sink.append(scalar.escape.utf8)
      } else {
        sink.append(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }
}

extension Unicode.Scalar {
  /// What a terminal may take for more than a sign: the controls C0, DEL and C1, the separators
  /// of lines and paragraphs, and the signs that turn the direction of writing.
  var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
    default: false
    }
  }

  /// The scalar as JSON escapes it: all that are escaped have four digits.
  var escape: String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}

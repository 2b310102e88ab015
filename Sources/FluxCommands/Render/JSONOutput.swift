package import FluxJSON
import FluxLog
import FluxSystem

package struct JSONOutput {
  private static let encoder = LogEncoder(order: .declaration)

  private(set) var sink: ByteSink
  private var layout: JSONStreamLayout

  package init(_ sink: ByteSink, _ style: JSONStreamLayout.Style) {
    self.sink = sink
    layout = JSONStreamLayout(style)
  }

  mutating func raw(_ text: String) throws {
    try layout.append(Array(text.utf8), to: &sink)
  }

  /// Writes a value; a value that cannot be encoded leaves no separator behind.
  mutating func value(_ value: some Encodable, separator: String = "") throws {
    let bytes = try Self.encoder.bytes(of: value)
    if !separator.isEmpty { try raw(separator) }
    try layout.append(bytes, to: &sink)
  }

  /// Writes the members of an object, without its braces; returns `false` if there are none.
  mutating func members(of object: some Encodable, separator: String = "") throws -> Bool {
    let bytes = try Self.encoder.bytes(of: object)
    guard bytes.count > 2 else { return false }
    try raw(separator)
    try layout.append(Array(bytes.dropFirst().dropLast()), to: &sink)
    return true
  }

  /// Starts the document again, if none of it was passed on; returns `false` if it is too late for that.
  mutating func restart() -> Bool {
    guard !sink.hasBegun else { return false }
    sink.discard()
    layout.restart()
    return true
  }

  /// Ends the document with a line end, and passes on all of it.
  package mutating func finish() throws {
    sink.append(UInt8(ascii: "\n"))
    try sink.flush()
  }
}

/// Lays out JSON that comes in pieces: on one line, or each element and member on its own.
///
/// The text is known to be JSON. Blanks between values are left out, and strings get escapes for all that must not be
/// shown as it is.
package struct JSONStreamLayout {
  package enum Style: Sendable {
    case line
    case pretty
  }

  private let style: Style
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var output = TextGuard(atLineStart: false)
  /// `true` if a container was begun and is still empty.
  private var isEmpty = false
  /// The first bytes of a scalar beyond ASCII, and the number of those that follow.
  private var pending: (bytes: [UInt8], missing: Int) = ([], 0)

  package init(_ style: Style) { self.style = style }

  mutating func restart() { self = JSONStreamLayout(style) }

  /// Lays out a value on several lines, without the end of the last one.
  static func lay(out json: JSON, to sink: inout ByteSink) throws {
    var writer = JSONWriter()
    writer.raw(json)
    var layout = JSONStreamLayout(.pretty)
    try layout.append(writer.takeBytes(), to: &sink)
  }

  package mutating func append(_ bytes: [UInt8], to sink: inout ByteSink) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let run = rest.prefix(Self.longestRun)
        .prefix(while: isInString ? Self.isPlain : Self.isOfScalar)
      if append(run: run, to: &sink) {
        rest = rest[run.endIndex...]
      } else {
        // One byte that has a meaning here, or a run in which one must be escaped.
        let part = rest.prefix(max(run.count, 1))
        for byte in part {
          if isInString { appendInString(byte, to: &sink) } else { appendBetween(byte, to: &sink) }
        }
        rest = rest[part.endIndex...]
      }
      try sink.drain()
    }
  }

  /// The most bytes to append at once, so that long strings are passed on in pieces, too.
  private static let longestRun = 4096

  /// `true` for an ASCII character of a string that neither ends it nor begins an escape.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// `true` for a byte of a number, `true`, `false` or `null`.
  private static func isOfScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  /// Appends bytes as they are; returns `false` if there are none, or if one must be escaped.
  private mutating func append(run: ArraySlice<UInt8>, to sink: inout ByteSink) -> Bool {
    guard !run.isEmpty else { return false }
    if isInString {
      var guarded = output
      guard guarded.passes(run) else { return false }
      (output, isEscaped) = (guarded, false)
    } else {
      beginItem(in: &sink)
    }
    sink.append(run)
    return true
  }

  private mutating func appendInString(_ byte: UInt8, to sink: inout ByteSink) {
    guard byte < 0x80 else { return appendPart(byte, to: &sink) }
    let scalar = Unicode.Scalar(byte)
    if output.escapes(scalar) { return sink.append(scalar.escape(as: .json).utf8) }
    if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
    isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    sink.append(byte)
  }

  private mutating func appendPart(_ byte: UInt8, to sink: inout ByteSink) {
    isEscaped = false
    if pending.missing == 0 {
      pending.missing = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3
    } else {
      pending.missing -= 1
    }
    pending.bytes.append(byte)
    guard pending.missing == 0 else { return }
    let scalar = String(decoding: pending.bytes, as: UTF8.self).unicodeScalars.first
    if let scalar, output.escapes(scalar) {
      sink.append(scalar.escape(as: .json).utf8)
    } else {
      sink.append(pending.bytes)
    }
    pending.bytes.removeAll(keepingCapacity: true)
  }

  private mutating func appendBetween(_ byte: UInt8, to sink: inout ByteSink) {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      return
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      beginItem(in: &sink)
      sink.append(byte)
      depth += 1
      isEmpty = true
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if !isEmpty { breakLine(in: &sink) }
      isEmpty = false
      sink.append(byte)
    case UInt8(ascii: ","):
      sink.append(byte)
      breakLine(in: &sink)
    case UInt8(ascii: ":"):
      sink.append(byte)
      if style == .pretty { sink.append(UInt8(ascii: " ")) }
    default:
      beginItem(in: &sink)
      sink.append(byte)
      isInString = byte == UInt8(ascii: "\"")
      if isInString { output = TextGuard(atLineStart: false) }
    }
  }

  private mutating func beginItem(in sink: inout ByteSink) {
    guard isEmpty else { return }
    isEmpty = false
    breakLine(in: &sink)
  }

  private func breakLine(in sink: inout ByteSink) {
    guard style == .pretty else { return }
    sink.append(UInt8(ascii: "\n"))
    sink.append(repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}

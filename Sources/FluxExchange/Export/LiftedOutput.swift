import FluxInspector
import FluxJSON
import FluxLog
import FluxSystem

/// The output of an export for Redux DevTools.
struct LiftedOutput {
  var writer = JSONWriter()
  var sink: ByteSink
  private let byteLimit: Int
  /// `true` if the values of the log have the form of jsan already.
  private let isJSAN: Bool
  private var lossyNumbers = 0

  init(_ sink: ByteSink, byteLimit: Int, isJSAN: Bool) {
    (self.sink, self.byteLimit, self.isJSAN) = (sink, byteLimit, isJSAN)
  }

  /// Writes a value of the log in the form of jsan.
  mutating func value(_ value: JSON) {
    lossyNumbers += value.lossyNumberCount
    writer.raw(
      value.mayHaveTags ? value.jsanEscaped(keepsTags: isJSAN)[...] : value.rawText[...])
  }

  /// Writes an action by its number, with the time of its dispatch in whole milliseconds since 1970 and, if there are any,
  /// its circumstances.
  ///
  /// The circumstances have the stack as well, but the DevTools show only the one of the entry.
  mutating func action(
    _ number: Int, _ action: JSON, at instant: LogInstant, stack: JSON? = nil,
    _ circumstances: JSON? = nil
  ) {
    writer.name(String(number))
    writer.beginObject()
    writer.member("type", "PERFORM_ACTION")
    writer.name("action")
    value(action)
    writer.name("timestamp")
    writer.int(instant.microseconds / 1_000)
    writer.member("stack", stack)
    if let circumstances {
      writer.name("flux")
      value(circumstances)
    }
    writer.endObject()
  }

  /// Writes a reference to a value that is written elsewhere.
  mutating func reference(to place: String) {
    writer.beginObject()
    writer.member("$jsan", place)
    writer.endObject()
  }

  /// Hands on what was written.
  ///
  /// - Throws: `CommandError` if the file becomes too long.
  mutating func drain() throws {
    try sink.take(&writer)
    guard sink.byteCount <= byteLimit else {
      throw CommandError(
        .file,
        "the export would be longer than \(byteLimit >> 20) MB, which Redux DevTools cannot read",
        hint: "export fewer steps with RANGE: export redux FILE A..B")
    }
  }

  var notes: [String] {
    guard lossyNumbers > 0 else { return [] }
    return [
      "\(lossyNumbers.counted("number")) in the file \(lossyNumbers == 1 ? "has" : "have") more digits or a larger "
        + "exponent than JavaScript keeps"
    ]
  }
}

extension ByteSink {
  mutating func take(_ writer: inout JSONWriter) throws {
    append(writer.takeBytes())
    try drain()
  }
}

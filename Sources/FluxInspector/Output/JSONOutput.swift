package import FluxLog

/// Writes one JSON document for programs, and hands it on in pieces.
package struct JSONOutput {
  /// What the next part of the document is written with.
  package var writer = JSONWriter()
  private var sink: ByteSink
  private var layout: JSONLayout

  init(_ sink: ByteSink, _ style: JSONLayout.Style) {
    self.sink = sink
    layout = JSONLayout(style)
  }

  /// Hands on what was written so far; to be called between the items of what may be long.
  package mutating func drain() throws {
    // A piece has to be worth the call; the sink collects them.
    if writer.bytes.count >= 1 << 12 { try handOn() }
  }

  /// Ends the document with a line end, and hands on all of it.
  mutating func finish() throws {
    try handOn()
    sink.append(UInt8(ascii: "\n"))
    try sink.flush()
  }

  private mutating func handOn() throws { try layout.append(writer.takeBytes(), to: &sink) }
}

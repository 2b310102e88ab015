import FluxLog

extension ExportedSteps {
  /// Writes the actions as they are recorded: an array, one action a line.
  func writeActions(to sink: inout ByteSink) throws {
    sink.append(UInt8(ascii: "["))
    try forEach { position, step in
      sink.append((position == positions.lowerBound ? "\n" : ",\n").utf8)
      var writer = JSONWriter()
      writer.raw(step.action)
      sink.append(writer.bytes)
      try sink.drain()
    }
    sink.append("\n]\n".utf8)
  }
}

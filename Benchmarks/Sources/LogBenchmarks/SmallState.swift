import FluxLog

/// The state of a small app, as it is after each of many steps: eight items that are toggled.
struct SmallState: Sendable {
  private var done = Array(repeating: false, count: 8)

  mutating func toggle(_ step: Int) { done[step % 8].toggle() }

  /// The state as canonical JSON, made on the thread that asks for it.
  var value: LogValue {
    let done = done
    return LogValue(encoding: {
      var writer = JSONWriter()
      writer.beginObject()
      writer.name("items")
      writer.beginArray()
      for (id, isDone) in done.enumerated() {
        writer.beginObject()
        writer.name("done")
        writer.bool(isDone)
        writer.name("id")
        writer.int(id)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
      return try writer.json()
    })
  }
}

import FluxJSON
package import FluxLog

/// The state of a small app, as it is after each of many steps.
package protocol SmallState: Sendable {
  init()
  mutating func change(_ step: Int)

  /// The state as canonical JSON, made on the thread that asks for it.
  var value: LogValue { get }
}

/// Eight items that are toggled: each step is a patch, and a line of about 200 bytes.
package struct Items: SmallState {
  private var done = Array(repeating: false, count: 8)

  package init() {}

  package mutating func change(_ step: Int) { done[step % 8].toggle() }

  package var value: LogValue {
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

/// A count: each step has the whole state, and a line of about 130 bytes.
package struct Count: SmallState {
  private var count = 0

  package init() {}

  package mutating func change(_ step: Int) { count = step }

  package var value: LogValue {
    let count = count
    return LogValue(encoding: {
      var writer = JSONWriter()
      writer.beginObject()
      writer.name("count")
      writer.int(count)
      writer.endObject()
      return try writer.json()
    })
  }
}

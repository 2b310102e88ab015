import FluxLog

/// The notification `progress`: `{"request","step","of"?}`.
struct Progress: Equatable {
  /// The id of the request that goes on.
  var request: JSON
  /// The step that has run last.
  var step: UInt64
  /// The last step of all, where it is known.
  var last: UInt64?

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("request", request)
    writer.member("step", step)
    writer.member("of", last)
    writer.endObject()
  }

  init(request: JSON, step: UInt64, last: UInt64? = nil) {
    self.request = request
    self.step = step
    self.last = last
  }

  init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the progress")
    request = json["request"] ?? .null
    step = try message.integer("step")
    last = try message.optionalInteger("of")
  }
}

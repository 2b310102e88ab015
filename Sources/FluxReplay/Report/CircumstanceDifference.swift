public import FluxJSON

/// A value that was constant throughout the recording and differs in the current app, such as a flag or the locale.
///
/// It is no divergence, but may be the reason for one.
public struct CircumstanceDifference: Sendable, Equatable {
  /// The name of the circumstance.
  public var name: String
  /// The recorded value; nil if there was none.
  public var recorded: JSON?
  /// The value that the app declares; nil if there is none.
  public var today: JSON?

  package init(_ name: String, recorded: JSON?, today: JSON?) {
    (self.name, self.recorded, self.today) = (name, recorded, today)
  }

  var sentence: String {
    let (recorded, today) = (
      self.recorded.map { Excerpt.text(of: $0) }, self.today.map { Excerpt.text(of: $0) }
    )
    return "\(name) was \(recorded ?? "not set") in the recording and is \(today ?? "not set") now"
  }
}

extension CircumstanceDifference: Encodable {
  private enum CodingKeys: CodingKey { case name, recorded, today }

  /// Encodes the difference: `{"name","recorded"?,"today"?}`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(name, forKey: .name)
    try members.encodeIfPresent(recorded.map(Excerpt.shallow), forKey: .recorded)
    try members.encodeIfPresent(today.map(Excerpt.shallow), forKey: .today)
  }

  init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "a circumstance")
    name = try message.required("name", .string)
    recorded = try message.optional("recorded", .any)
    today = try message.optional("today", .any)
  }
}

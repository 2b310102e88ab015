import FluxJSON

/// Where an action came from, as far as its step's line says so.
///
/// Of an action that was simply dispatched to whatever store takes it, nothing.
public struct ActionOrigin: Sendable, Equatable {
  /// The store that it was addressed to, where it was addressed to one.
  public var target: String?
  /// The earlier step that led to it.
  public var cause: UInt64?
  /// The name of the effect that dispatched it.
  public var effect: String?
  /// Who dispatched it, where that was neither a follow-up nor an effect of the cause: ``LogStep/observer``.
  public var from: String?

  /// Makes an origin.
  public init(
    target: String? = nil, cause: UInt64? = nil, effect: String? = nil, from: String? = nil
  ) {
    self.target = target
    self.cause = cause
    self.effect = effect
    self.from = from
  }
}

// How an action in flight has it: as an object with the members of a step's line, or no text at all.

extension ActionOrigin {
  /// The text of the origin; empty where there is nothing to say.
  var text: [UInt8] {
    guard self != ActionOrigin() else { return [] }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("target", target)
    writer.member("cause", cause)
    writer.member("effect", effect)
    writer.member("from", from)
    writer.endObject()
    return writer.bytes
  }

  /// Reads what ``text`` has given.
  init(text: [UInt8]) throws(JSONError) {
    self.init()
    guard !text.isEmpty else { return }
    let json = try JSON.parse(text)
    target = json["target"]?.string
    cause = json["cause"]?.number?.uint64
    effect = json["effect"]?.string
    from = json["from"]?.string
  }
}

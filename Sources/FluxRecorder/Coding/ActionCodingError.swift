import FluxJSON

/// The reason why an action of a log cannot be decoded.
package struct ActionCodingError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Reason: Equatable, Sendable {
    case noType
    /// No type with that name is known; `known` lists the kinds that are.
    case unknownType(known: [String])
    case unknownCase
    case extraMembers([String])
    case failedUpcaster(String)
    case unfitPayload(String)
  }

  package let type: String
  package let reason: Reason
  /// A pointer into the payload to a redacted value that is the reason; nil for other reasons.
  let redacted: String?

  init(type: String, reason: Reason, redacted: String? = nil) {
    (self.type, self.reason, self.redacted) = (type, reason, redacted)
  }

  init(type: String, isCase: Bool, _ payload: JSON?, _ error: any Error) {
    if isCase, case DecodingError.typeMismatch(_, let context) = error, context.codingPath.isEmpty {
      // An enum that recognizes no case name reports a mismatch at its own coding path.
      self.init(type: type, reason: .unknownCase)
    } else {
      self.init(
        type: type, reason: .unfitPayload(Self.problem(error, isCase: isCase)),
        redacted: Self.redactedPlace(in: payload, error))
    }
  }

  /// The problem in words, and its place in the payload.
  private static func problem(_ error: any Error, isCase: Bool) -> String {
    guard let context = (error as? DecodingError)?.context else { return "\(error)" }
    // The path of an enum begins with the case, which is a part of the type.
    let place = context.codingPath.dropFirst(isCase ? 1 : 0).map { key in
      key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
    }.joined()
    return place.isEmpty
      ? context.debugDescription : "\(context.debugDescription), at payload\(place)"
  }

  /// Returns the error with the texts of the app's code replaced, which may contain any of its values.
  func replacingTexts(by replace: (String) -> String) -> ActionCodingError {
    let replaced: Reason =
      switch reason {
      case .failedUpcaster(let text): .failedUpcaster(replace(text))
      case .unfitPayload(let text): .unfitPayload(replace(text))
      case .noType, .unknownType, .unknownCase, .extraMembers: reason
      }
    return ActionCodingError(type: type, reason: replaced, redacted: redacted)
  }

  package var description: String {
    switch reason {
    case .noType:
      "the action has no \"type\"; expected {\"type\":\"kind/case\",\"payload\":…}"
    case .unknownType(let known):
      """
      no action is called "\(type)"; the app's actions are \(known.joined(separator: ", ")). \
      If it was renamed, add an alias to the app's Evolution
      """
    case .unknownCase:
      """
      the app's actions have no case "\(type)". If it was renamed, add an alias or an \
      upcaster to the app's Evolution
      """
    case .extraMembers(let names):
      """
      the action "\(type)" has members other than type and payload: \(names.joined(separator: ", ")); to \
      decode it, add an upcaster to the app's Evolution, which gets all of them as the payload
      """
    case .failedUpcaster(let error): "the upcaster of \"\(type)\" threw \(error)"
    case .unfitPayload(let problem):
      "the payload of \"\(type)\" does not fit: \(problem)"
    }
  }
}

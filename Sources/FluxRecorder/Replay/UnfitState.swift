import FluxJSON
import FluxReplay

extension LogDecoder {
  /// A decoder that accepts the tokens of redacted values: it makes of them what the types ask for.
  static var replaying: LogDecoder {
    var decoder = LogDecoder()
    decoder.acceptsTokens = true
    return decoder
  }
}

extension ReplayFailure.StateProblem {
  /// Creates the problem of a state that cannot be decoded; nil for an absent one.
  ///
  /// If a redacted value is the cause, the message has its place.
  init(store: String, unfit state: JSON?, _ error: any Error) {
    var why = "\(error)"
    var redacted: String?
    if let state, let path = (error as? DecodingError)?.context?.codingPath,
      let tokens = state.redactedPlace(on: path)
    {
      let place = Pointer(tokens: tokens).description
      why +=
        "; the value\(tokens.isEmpty ? "" : " at \(place)") is redacted, and its type accepts no substitute"
      redacted = place
    }
    self.init(store: store, why: why, redacted: redacted)
  }
}

extension ActionCodingError {
  /// Returns a pointer into a payload to the token because of which it cannot be decoded; nil if there is none.
  ///
  /// The coding path begins with the names of the enum's cases, which are not in the payload.
  static func redactedPlace(in payload: JSON?, _ error: any Error) -> String? {
    guard let payload, let path = (error as? DecodingError)?.context?.codingPath else { return nil }
    if payload.isRedactionToken { return "" }
    for count in 0...path.count {
      if let place = payload.redactedPlace(on: Array(path.dropFirst(count))), !place.isEmpty {
        return Pointer(tokens: place).description
      }
    }
    return nil
  }
}

extension JSON {
  /// Returns the place of the token that a coding path ends in or leads through; nil if there is none.
  fileprivate func redactedPlace(on path: [any CodingKey]) -> [String]? {
    var place: [String] = []
    var value: JSON? = self
    for key in path where value?.isRedactionToken == false {
      place.append(key.intValue.map(String.init) ?? key.stringValue)
      value =
        key.intValue.flatMap { index in value?.elements.dropFirst(index).first }
        ?? value?[key.stringValue]
    }
    return value?.isRedactionToken == true ? place : nil
  }
}

extension DecodingError {
  var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }
}

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
    if let state, let path = (error as? DecodingError)?.context?.codingPath,
      let place = state.redactedPlace(on: path)
    {
      let place = place.isEmpty ? "" : " at \(Pointer(tokens: place))"
      why += "; the value\(place) is redacted, and its type accepts no substitute"
    }
    self.init(store: store, why: why)
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
  fileprivate var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }
}

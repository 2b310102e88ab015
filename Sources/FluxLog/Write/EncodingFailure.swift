import FluxJSON

/// A value that could not be encoded.
package struct EncodingFailure: Error, Equatable {
  /// The store whose state it is; `nil` for an action.
  package let store: String?
  package let why: String

  package init(store: String?, why: String) {
    self.store = store
    self.why = why
  }

  /// Returns the failure as an error of a log.
  func ofStep(_ number: UInt64, in path: String) -> LogError {
    LogError(path: path, reason: .cannotEncode(step: number, store: store, why: why))
  }

  /// Runs a part of an encoding; `store` is `nil` for an action.
  package static func wrapping<Result>(
    _ store: String?, _ encode: () throws -> Result
  ) throws(EncodingFailure) -> Result {
    do { return try encode() } catch {
      throw EncodingFailure(store: store, why: reason(error))
    }
  }

  /// Describes an error without any value: it may be secret or large.
  ///
  /// The app chooses the text of an error that its `encode(to:)` throws, and that text often quotes the value. So only
  /// the types and the coding path are kept, and the texts of errors that this package throws.
  package static func reason(_ error: any Error) -> String {
    switch error {
    case EncodingError.invalidValue(let value, let context):
      let place = "\(type(of: value)) at \(quoted(context.codingPath))"
      guard let cause = context.underlyingError else { return place }
      return "\(place): \((cause as? EncoderMisuse)?.message ?? reason(cause))"
    case DecodingError.typeMismatch(let type, let context),
      DecodingError.valueNotFound(let type, let context):
      return "\(type) at \(quoted(context.codingPath)) cannot be decoded"
    case DecodingError.keyNotFound(let key, let context):
      return "\(quoted(context.codingPath + [key])) is missing"
    case DecodingError.dataCorrupted(let context):
      return "the value at \(quoted(context.codingPath)) cannot be decoded"
    case let error as JSONError: return error.message
    case let error as EncodingFailure: return error.why
    default: return "it threw \(type(of: error))"
    }
  }

  private static func quoted(_ path: [any CodingKey]) -> String {
    let names = path.map { "/" + ($0.intValue.map(String.init) ?? $0.stringValue) }
    return "\"\(names.joined())\""
  }
}

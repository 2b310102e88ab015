/// A value that encoders hide unless they are asked to reveal it.
///
/// Use it for passwords, session tokens and keys in states and actions:
/// ```swift
/// struct Session: StateValue { var token: Secret<String>? }
/// ```
/// A recorder writes a token such as `<redacted 5f0c2a9e71b3d844>` in its place, at every place and without a
/// `Redaction`. Any other encoder writes a fixed token, unless its `userInfo` has `true` for
/// `CodingUserInfoKey.revealing`. Descriptions and reflection do not show the value, so it does not get into
/// messages either.
///
/// A secret that is decoded from a token *is* a token: it has no value, and ``reveal()`` throws. In a replay of a
/// log, all recorded secrets are tokens. Two secrets are equal if both values or both tokens are equal.
public struct Secret<Value: Codable & Equatable & Sendable>: Sendable {
  private enum Content: Equatable, Sendable {
    case value(Value)
    case token(String)
  }

  private let content: Content

  /// Hides a value.
  ///
  /// - Parameter value: The value.
  public init(_ value: Value) {
    content = .value(value)
    SecretCoding.begin()
  }

  package init(token: String) {
    content = .token(token)
    SecretCoding.begin()
  }

  /// Returns the value.
  ///
  /// - Throws: ``SecretError/token`` if the secret is a token, as in a replay.
  public func reveal() throws(SecretError) -> Value {
    switch content {
    case .value(let value): return value
    case .token:
      SecretMonitor.current?.note()
      throw .token
    }
  }

  /// `true` if the secret is a token, without a value.
  public var isToken: Bool {
    switch content {
    case .value: false
    case .token: true
    }
  }
}

/// The error of revealing a secret.
public enum SecretError: Error, Equatable, CustomStringConvertible {
  /// The secret was decoded from a token, and its value is unknown.
  case token

  /// A sentence for people.
  public var description: String { "the secret is a token without a value, as in a replayed log" }
}

/// Two secrets are equal if both are values and equal, or both are tokens and equal.
extension Secret: Equatable {}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The token, or `<secret>`.
  public var description: String {
    switch content {
    case .value: "<secret>"
    case .token(let token): token
    }
  }

  /// The token, or `<secret>`.
  public var debugDescription: String { description }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Secret: Codable {
  /// Encodes a token; the value only if the encoder is asked to reveal it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch content {
    case .token(let token): try container.encode(token)
    case .value(let value):
      let info = encoder.userInfo
      if let token = info[.secretToken] as? SecretTokenMaker {
        try container.encode(try token(value))
      } else if info[.revealing] as? Bool == true {
        try container.encode(value)
      } else {
        try container.encode(SecretCoding.fixedToken)
      }
    }
  }

  /// Decodes a token, or a value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      let text = try container.decode(String.self)
      if SecretCoding.isToken(text) {
        self.init(token: text)
        return
      }
    } catch is DecodingError {
      // Not a string, so it is a value.
    }
    self.init(try container.decode(Value.self))
  }
}

/// Makes the token of a secret value.
///
/// A token has the form `<redacted 5f0c2a9e71b3d844>`, with 16 hexadecimal digits.
package typealias SecretTokenMaker = @Sendable (any Codable & Sendable) throws -> String

extension CodingUserInfoKey {
  /// The user info key of a ``SecretTokenMaker``, which encodes the values of secrets.
  package static let secretToken = key("FluxCore.secretToken")
  /// The user info key that makes secrets encode their values, if it is set to `true`.
  public static let revealing = key("FluxCore.revealing")

  static func key(_ name: String) -> CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("A user info key accepts any text")
    }
    return key
  }
}

/// The name of a store in its dispatcher and in logs.
///
/// Names compare as Swift strings do: é written as one scalar equals é written as two. A dispatcher refuses
/// two stores with equal names.
public struct StoreID: Hashable, Sendable, RawRepresentable, Codable {
  /// The name.
  public let rawValue: String

  /// Creates an identifier from a name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates an identifier from a name.
  public init(_ name: String) {
    rawValue = name
  }
}

extension StoreID: ExpressibleByStringInterpolation {
  /// Creates an identifier from a string literal, with or without interpolations.
  public init(stringLiteral value: String) {
    rawValue = value
  }
}

extension StoreID: Comparable, CustomStringConvertible {
  /// Orders identifiers by their names.
  public static func < (left: StoreID, right: StoreID) -> Bool { left.rawValue < right.rawValue }

  /// The name.
  public var description: String { rawValue }
}

extension [StoreID] {
  /// The names, for a message.
  var names: String { map(\.rawValue).joined(separator: ", ") }
}

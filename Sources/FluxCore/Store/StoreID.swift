/// The name of a store within its dispatcher, and in a log.
///
/// Names that read alike, as é written as one scalar and as two, are one name: a dispatcher refuses two such stores.
public struct StoreID: Hashable, Sendable, RawRepresentable, Codable {
  /// The name itself.
  public let rawValue: String

  /// Creates an identifier of a name.
  ///
  /// - Parameter rawValue: The name; it need only differ from the other stores' of the dispatcher.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates an identifier of a name.
  ///
  /// - Parameter name: The name; it need only differ from the other stores' of the dispatcher.
  public init(_ name: String) {
    rawValue = name
  }
}

extension StoreID: ExpressibleByStringLiteral {
  /// Creates an identifier of a name in the source.
  ///
  /// - Parameter value: The name.
  public init(stringLiteral value: String) {
    rawValue = value
  }
}

extension StoreID: Comparable, CustomStringConvertible {
  /// Orders identifiers as their names.
  public static func < (left: StoreID, right: StoreID) -> Bool { left.rawValue < right.rawValue }

  /// The name itself.
  public var description: String { rawValue }
}

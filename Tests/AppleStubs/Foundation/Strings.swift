// What Foundation adds to strings.
public struct CharacterSet: Hashable, Sendable, Codable {
  public init() {}
  public init(charactersIn: String) {}
  public static var alphanumerics: CharacterSet { CharacterSet() }
  public static var whitespaces: CharacterSet { CharacterSet() }
  public static var newlines: CharacterSet { CharacterSet() }
  public static var whitespacesAndNewlines: CharacterSet { CharacterSet() }
}

extension String {
  public struct Encoding: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let ascii = Encoding(rawValue: 1)
    public static let utf8 = Encoding(rawValue: 4)
    public static let utf16 = Encoding(rawValue: 10)
  }
  public struct CompareOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let literal = CompareOptions(rawValue: 2)
    public static let backwards = CompareOptions(rawValue: 4)
    public static let numeric = CompareOptions(rawValue: 64)
  }
  public init(format: String, _ arguments: any CVarArg...) { self = "" }
  public init?(data: Data, encoding: Encoding) { return nil }
  public init(contentsOfFile path: String, encoding: Encoding) throws { self = "" }
  public init(contentsOf url: URL, encoding: Encoding) throws { self = "" }
}

extension StringProtocol {
  public var capitalized: String { "" }
  public var precomposedStringWithCanonicalMapping: String { "" }
  public var decomposedStringWithCanonicalMapping: String { "" }
  public var precomposedStringWithCompatibilityMapping: String { "" }
  public func trimmingCharacters(in set: CharacterSet) -> String { "" }
  public func addingPercentEncoding(withAllowedCharacters: CharacterSet) -> String? { nil }
  public var removingPercentEncoding: String? { nil }
  public func components(separatedBy: some StringProtocol) -> [String] { [] }
  public func components(separatedBy: CharacterSet) -> [String] { [] }
  public func replacingOccurrences(
    of: some StringProtocol, with: some StringProtocol, options: String.CompareOptions = [],
    range: Range<Index>? = nil
  ) -> String { "" }
  public func range(
    of: some StringProtocol, options: String.CompareOptions = [], range: Range<Index>? = nil, locale: Locale? = nil
  ) -> Range<Index>? { nil }
  public func contains(_ other: some StringProtocol) -> Bool { false }
  public func padding(toLength: Int, withPad: some StringProtocol, startingAt: Int) -> String { "" }
  public func data(using: String.Encoding, allowLossyConversion: Bool = false) -> Data? { nil }
  public func write(to: URL, atomically: Bool, encoding: String.Encoding) throws {}
  public func write(toFile: String, atomically: Bool, encoding: String.Encoding) throws {}
}

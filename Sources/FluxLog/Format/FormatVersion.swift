/// The version of the log format that a header names.
///
/// Readers accept a newer minor version with a warning and refuse a newer major version.
public struct FormatVersion: Sendable, Hashable, CustomStringConvertible {
  /// The number before the dot, raised for changes that older readers cannot understand.
  public let major: UInt32
  /// The number after the dot, raised for additions that older readers can skip.
  public let minor: UInt32

  /// The version that this library writes, and the newest that it reads without a warning.
  public static let current = FormatVersion(major: 1, minor: 1)

  /// Makes a version from its two numbers.
  public init(major: UInt32, minor: UInt32) {
    self.major = major
    self.minor = minor
  }

  /// Parses `major.minor`; returns `nil` for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let major = Self.number(parts[0]), let minor = Self.number(parts[1])
    else { return nil }
    self.init(major: major, minor: minor)
  }

  private static func number(_ text: Substring) -> UInt32? {
    // `UInt32` accepts a sign, a version does not.
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt32(text)
  }

  /// The version as a header writes it.
  public var description: String { "\(major).\(minor)" }
}

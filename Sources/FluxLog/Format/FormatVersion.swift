/// The version of the log format that a log says it is written in.
///
/// A newer minor version can be read, with a warning; a newer major version cannot.
public struct FormatVersion: Sendable, Hashable, CustomStringConvertible {
  /// The number before the point: changes that older readers cannot understand.
  public let major: UInt32
  /// The number after the point: additions that older readers may skip.
  public let minor: UInt32

  /// The version that this library writes, and the newest that it reads without a warning.
  public static let current = FormatVersion(major: 1, minor: 0)

  /// Makes a version from its two numbers.
  public init(major: UInt32, minor: UInt32) {
    self.major = major
    self.minor = minor
  }

  /// Reads `major.minor`; nil where the text is of another form.
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

  /// The version as it is written in a header.
  public var description: String { "\(major).\(minor)" }
}

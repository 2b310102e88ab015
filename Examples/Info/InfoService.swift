public import FluxCore

/// A section of an info screen.
public struct InfoSection: StateValue {
  /// The heading.
  public let title: String
  /// The lines under it.
  public let rows: [String]

  /// Creates a section.
  ///
  /// - Parameters:
  ///   - title: The heading.
  ///   - rows: The lines under it.
  public init(title: String, rows: [String]) {
    self.title = title
    self.rows = rows
  }
}

/// The source of the info: a server in the app, a fake in its tests.
public protocol InfoService: Sendable {
  /// Fetches the sections.
  ///
  /// - Returns: The sections, in display order.
  /// - Throws: The error of a service that cannot answer.
  func sections() async throws -> [InfoSection]
}

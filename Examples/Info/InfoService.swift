public import FluxCore

/// A section of what an info screen shows.
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

/// Where the info comes from: a server in the app, a fake in its tests.
public protocol InfoService: Sendable {
  /// Fetches the sections.
  ///
  /// - Returns: The sections, in the order in which they are shown.
  /// - Throws: Whatever keeps the service from answering.
  func sections() async throws -> [InfoSection]
}

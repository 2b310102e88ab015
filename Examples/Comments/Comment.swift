public import FluxCore

/// A reader's comment on a site.
public struct Comment: StateValue, Identifiable {
  /// The number that the service gave it.
  public let id: Int
  /// The site that it stands on.
  public let site: Int
  /// The comment that it replies to.
  public let parent: Int?
  /// What it says.
  public let text: String

  /// Creates a comment.
  ///
  /// - Parameters:
  ///   - id: The number that the service gave it.
  ///   - site: The site that it stands on.
  ///   - parent: The comment that it replies to.
  ///   - text: What it says.
  public init(id: Int, site: Int, parent: Int? = nil, text: String) {
    self.id = id
    self.site = site
    self.parent = parent
    self.text = text
  }
}

public import FluxCore

/// A reader's comment on a site.
public struct Comment: StateValue, Identifiable {
  /// The number that the service assigned.
  public let id: Int
  /// The site of the comment.
  public let site: Int
  /// The comment that this one replies to; nil for a first-level comment.
  public let parent: Int?
  /// The text.
  public let text: String

  /// Creates a comment.
  ///
  /// - Parameters:
  ///   - id: The number that the service assigned.
  ///   - site: The site of the comment.
  ///   - parent: The comment that this one replies to; nil for a first-level comment.
  ///   - text: The text.
  public init(id: Int, site: Int, parent: Int? = nil, text: String) {
    self.id = id
    self.site = site
    self.parent = parent
    self.text = text
  }
}

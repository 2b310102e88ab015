public import FluxCore

/// What a comments store holds.
public struct CommentsState: StateValue {
  /// What is known of one site.
  struct Site: StateValue {
    var comments: [Comment] = []
    var isFetching = false
    var isFetched = false
  }

  var sites: [Int: Site] = [:]
  /// Why the service refused something the last time.
  public internal(set) var failure: String?

  /// Creates the state before anything was fetched.
  public init() {}
}

/// What views select.
extension CommentsState {
  /// The comments of a site; none where they have not been fetched.
  ///
  /// - Parameter site: The site.
  /// - Returns: Its comments, the oldest first.
  public func comments(ofSite site: Int) -> [Comment] {
    sites[site]?.comments ?? []
  }

  /// Whether the comments of a site are on their way.
  ///
  /// - Parameter site: The site.
  /// - Returns: Whether they are.
  public func isFetching(site: Int) -> Bool {
    sites[site]?.isFetching ?? false
  }

  /// A comment of a site.
  ///
  /// - Parameters:
  ///   - id: The number of the comment.
  ///   - site: The site.
  /// - Returns: The comment, if it has been fetched.
  public func comment(_ id: Comment.ID, ofSite site: Int) -> Comment? {
    comments(ofSite: site).first { $0.id == id }
  }
}

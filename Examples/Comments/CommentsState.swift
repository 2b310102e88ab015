public import FluxCore

/// The state of a comments store.
public struct CommentsState: StateValue {
  /// The comments of one site and the state of their request.
  struct Site: StateValue {
    var comments: [Comment] = []
    var isFetching = false
    var isFetched = false
  }

  var sites: [Int: Site] = [:]
  /// The reason of the service's latest refusal.
  public internal(set) var failure: String?

  /// Creates the state before the first request.
  public init() {}
}

/// Selectors for views.
extension CommentsState {
  /// Returns the comments of a site; empty if they have not been fetched.
  ///
  /// - Parameter site: The site.
  /// - Returns: Its comments, the oldest first.
  public func comments(ofSite site: Int) -> [Comment] {
    sites[site]?.comments ?? []
  }

  /// Returns `true` while the comments of a site are being fetched.
  ///
  /// - Parameter site: The site.
  /// - Returns: `true` while a request is running.
  public func isFetching(site: Int) -> Bool {
    sites[site]?.isFetching ?? false
  }

  /// Returns a comment of a site.
  ///
  /// - Parameters:
  ///   - id: The number of the comment.
  ///   - site: The site.
  /// - Returns: The comment; nil if it has not been fetched.
  public func comment(_ id: Comment.ID, ofSite site: Int) -> Comment? {
    comments(ofSite: site).first { $0.id == id }
  }
}

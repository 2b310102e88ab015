/// Where the comments live: a server in the app, a fake in its tests.
public protocol CommentsService: Sendable {
  /// Fetches the comments of a site.
  ///
  /// - Parameter site: The site.
  /// - Returns: Its comments.
  /// - Throws: Whatever keeps the service from answering.
  func comments(ofSite site: Int) async throws -> [Comment]

  /// Deletes a comment.
  ///
  /// - Parameter comment: The comment.
  /// - Throws: Whatever keeps the service from doing so.
  func delete(_ comment: Comment) async throws

  /// Replies to a comment.
  ///
  /// - Parameters:
  ///   - comment: The comment to reply to.
  ///   - text: What the reply says.
  /// - Returns: The reply.
  /// - Throws: Whatever keeps the service from taking it.
  func reply(to comment: Comment, text: String) async throws -> Comment
}

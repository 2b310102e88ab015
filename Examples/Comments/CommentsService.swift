/// The source of the comments: a server in the app, a fake in its tests.
public protocol CommentsService: Sendable {
  /// Fetches the comments of a site.
  ///
  /// - Parameter site: The site.
  /// - Returns: Its comments.
  /// - Throws: The error of a service that cannot answer.
  func comments(ofSite site: Int) async throws -> [Comment]

  /// Deletes a comment.
  ///
  /// - Parameter comment: The comment.
  /// - Throws: The error of a service that cannot delete the comment.
  func delete(_ comment: Comment) async throws

  /// Replies to a comment.
  ///
  /// - Parameters:
  ///   - comment: The comment to reply to.
  ///   - text: The text of the reply.
  /// - Returns: The reply.
  /// - Throws: The error of a service that cannot accept the request.
  func reply(to comment: Comment, text: String) async throws -> Comment
}

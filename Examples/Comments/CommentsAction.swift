public import FluxCore

/// What can happen to comments.
public enum CommentsAction: Action, Equatable {
  // What people do.
  case delete(id: Comment.ID, site: Int)
  case reply(to: Comment.ID, site: Int, text: String)

  // What comes back from the service.
  case receiveComments([Comment], site: Int)
  case failToFetch(site: Int, reason: String)
  case receiveReply(Comment)
  case failToReply(reason: String)
  case failToDelete(Comment, reason: String)
}

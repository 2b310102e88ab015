public import FluxCore

/// The actions of a comments store.
public enum CommentsAction: Action, Equatable {
  // Actions of people.
  case delete(id: Comment.ID, site: Int)
  case reply(to: Comment.ID, site: Int, text: String)

  // Answers of the service.
  case receiveComments([Comment], site: Int)
  case failToFetch(site: Int, reason: String)
  case receiveReply(Comment)
  case failToReply(reason: String)
  case failToDelete(Comment, reason: String)
}

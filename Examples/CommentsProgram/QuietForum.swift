import CommentsExample

/// Two sites with a few comments; comment 2 on site 1 cannot be deleted.
actor QuietForum: CommentsService {
  struct Pinned: Error, CustomStringConvertible {
    let description = "the comment is pinned"
  }

  private var comments = [
    Comment(id: 1, site: 1, text: "first"), Comment(id: 2, site: 1, text: "read the rules"),
    Comment(id: 3, site: 2, text: "nice place"),
  ]

  func comments(ofSite site: Int) -> [Comment] {
    comments.filter { $0.site == site }
  }

  func delete(_ comment: Comment) throws {
    guard comment.id != 2 else { throw Pinned() }
    comments.removeAll { $0.id == comment.id }
  }

  func reply(to comment: Comment, text: String) -> Comment {
    let reply = Comment(
      id: comments.count + 1, site: comment.site, parent: comment.id, text: text)
    comments.append(reply)
    return reply
  }
}

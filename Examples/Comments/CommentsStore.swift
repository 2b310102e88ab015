public import FluxCore

/// Keeps the comments of all sites that have readers.
public struct CommentsStore: QueryStore {
  /// No comments.
  public let initialState = CommentsState()
  let service: any CommentsService

  /// Creates the store.
  ///
  /// - Parameter service: The source of the comments.
  public init(service: any CommentsService) {
    self.service = service
  }

  /// Handles the actions of people and the answers of the service.
  public func reduce(
    _ state: inout CommentsState, _ action: CommentsAction, _ step: inout Step
  ) throws {
    switch action {
    case .delete(let id, let site):
      try delete(id, site, &state, &step)
    case .reply(let id, let site, let text):
      try reply(to: id, site, text, &state, &step)
    case .receiveComments(let comments, let site):
      state.sites[site] = CommentsState.Site(comments: comments.inOrder, isFetched: true)
    case .failToFetch(let site, let reason):
      state.sites[site, default: CommentsState.Site()].isFetching = false
      state.failure = reason
    case .receiveReply(let comment):
      state.insert(comment)
    case .failToReply(let reason):
      state.failure = reason
    case .failToDelete(let comment, let reason):
      state.insert(comment)
      state.failure = reason
    }
  }

  /// Removes the comment at once, and restores it if the service does not delete it.
  private func delete(
    _ id: Comment.ID, _ site: Int, _ state: inout CommentsState, _ step: inout Step
  ) throws {
    let comment = try state.require(id, site)
    state.sites[site]?.comments.removeAll { $0.id == id }
    step.effect("delete \(id)") { [service] send in
      do {
        try await service.delete(comment)
      } catch {
        send(CommentsAction.failToDelete(comment, reason: "\(error)"))
      }
    }
  }

  private func reply(
    to id: Comment.ID, _ site: Int, _ text: String, _ state: inout CommentsState,
    _ step: inout Step
  ) throws {
    let comment = try state.require(id, site)
    step.effect(
      "reply", .concurrent, then: CommentsAction.receiveReply,
      catch: { .failToReply(reason: "\($0)") }
    ) { [service] in
      try await service.reply(to: comment, text: text)
    }
  }
}

extension CommentsState {
  fileprivate func require(_ id: Comment.ID, _ site: Int) throws -> Comment {
    guard let comment = comment(id, ofSite: site) else {
      throw Rejection("there is no comment \(id) on site \(site)")
    }
    return comment
  }

  fileprivate mutating func insert(_ comment: Comment) {
    let known = comments(ofSite: comment.site).filter { $0.id != comment.id }
    sites[comment.site, default: Site()].comments = (known + [comment]).inOrder
  }
}

extension [Comment] {
  /// The oldest first.
  fileprivate var inOrder: [Comment] { sorted { $0.id < $1.id } }
}

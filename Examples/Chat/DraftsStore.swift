public import FluxCore

/// The actions of the texts that have not been sent.
public enum DraftsAction: Action, Equatable {
  case edit(conversation: Conversation.ID, text: String)
  case undo(conversation: Conversation.ID)
  case redo(conversation: Conversation.ID)
}

/// The text that the user writes in each conversation, with undo and redo.
public struct DraftsStore: Store {
  /// The text of a conversation.
  public struct Draft: StateValue, Identifiable {
    /// The conversation.
    public let id: Conversation.ID
    /// The text and its history.
    public internal(set) var text = History("", limit: 20)
  }

  /// No drafts.
  public let initialState: Keyed<Draft> = []

  /// Creates the store.
  public init() {}

  /// Changes a draft.
  public func reduce(
    _ drafts: inout Keyed<Draft>, _ action: DraftsAction, _ step: inout Step
  ) throws {
    switch action {
    case .edit(let id, let text):
      drafts.append(Draft(id: id))
      drafts.update(id: id) { draft in draft.text.change { $0 = text } }
    case .undo(let id):
      guard drafts.update(id: id, { $0.text.undo() }) == true else {
        throw Rejection("there is nothing to undo")
      }
    case .redo(let id):
      guard drafts.update(id: id, { $0.text.redo() }) == true else {
        throw Rejection("there is nothing to redo")
      }
    }
  }

  /// Removes the draft that is sent, and all of a user who signs out.
  public var reactions: [Reaction<Keyed<Draft>>] {
    [
      .on(OutboxAction.self) { drafts, action, step in
        if case .send(let conversation, _) = action { drafts.remove(id: conversation) }
      },
      .on(SessionAction.self) { drafts, action, step in
        if action == .signOut { drafts.removeAll() }
      },
    ]
  }
}

public import FluxCore

/// The actions of the list of conversations.
public enum InboxAction: Action, Equatable {
  /// Fetches the next page.
  case load
  case loaded(Page<Conversation>)
  case failed(ChatFailure)
  case open(Conversation.ID)
  case close
}

/// The conversations, page by page.
public struct InboxStore: Store {
  /// The conversations and the open one.
  public struct State: StateValue {
    /// The conversations, the one with the latest message first.
    public internal(set) var conversations: Keyed<Conversation> = []
    /// The progress of fetching.
    public internal(set) var paging = Paging()
    /// The conversation on the screen.
    public internal(set) var open: Conversation.ID?

    /// The number of messages that the user has not seen.
    public var unread: Int { conversations.reduce(0) { $0 + $1.unread } }
  }

  /// No conversations.
  public let initialState = State()
  private let service: any ChatService

  /// Creates the store.
  ///
  /// - Parameter service: The server.
  public init(service: any ChatService) {
    self.service = service
  }

  /// Fetches conversations, and opens one.
  public func reduce(_ inbox: inout State, _ action: InboxAction, _ step: inout Step) throws {
    switch action {
    case .load:
      try inbox.paging.begin()
      fetch(inbox, &step)
    case .loaded(let page):
      // A message may have moved a conversation to the top since the page before.
      for conversation in page.items { inbox.conversations.append(conversation) }
      inbox.paging.end(page.next)
    case .failed(let failure): inbox.paging.fail(failure)
    case .open(let id):
      guard inbox.conversations.contains(id: id) else {
        throw Rejection("there is no conversation \(id)")
      }
      inbox.open = id
      inbox.conversations[id: id]?.unread = 0
    case .close: inbox.open = nil
    }
  }

  private func fetch(_ inbox: State, _ step: inout Step) {
    step.effect("page") { [service, cursor = inbox.paging.cursor] send in
      await send.request(then: InboxAction.loaded, catch: InboxAction.failed) { token in
        try await service.conversations(after: cursor, token: token)
      }
    }
  }

  private func receive(_ message: Message, by user: String?, _ inbox: inout State) {
    let id = message.conversation
    if !inbox.conversations.contains(id: id) {
      let title = message.author
      inbox.conversations.append(Conversation(id: id, title: title, preview: message.text))
    }
    inbox.conversations.move(id: id, to: 0)
    inbox.conversations.update(id: id) { conversation in
      conversation.preview = message.text
      if message.author != user, inbox.open != id { conversation.unread += 1 }
    }
  }

  /// Shows new messages, begins with the connection, and ends with the session.
  public var reactions: [Reaction<State>] {
    [
      .on(ConnectionAction.self) { inbox, action, step in
        switch action {
        case .opened where inbox.paging == Paging():
          try inbox.paging.begin()
          fetch(inbox, &step)
        case .received(let event):
          guard case .message(let message) = event.content else { return }
          receive(message, by: try step[SessionStore.self].user, &inbox)
        default: break
        }
      },
      .on(SessionAction.self) { inbox, action, step in
        switch action {
        case .refreshed: if inbox.paging.resume() { fetch(inbox, &step) }
        case .signOut:
          inbox = State()
          step.cancel("page")
        default: break
        }
      },
    ]
  }
}

public import FluxCore

/// The actions of the list of those who are writing.
public enum TypingAction: Action, Equatable {
  case stopped(id: String)
}

/// Those who are writing at the moment.
public struct TypingStore: Store {
  /// Somebody who is writing.
  public struct Writer: StateValue, Identifiable {
    /// The conversation.
    public let conversation: Conversation.ID
    /// The name.
    public let author: String

    /// The conversation and the name.
    public var id: String { "\(conversation)/\(author)" }
  }

  /// The time without an event after which somebody no longer counts as writing.
  public static let patience = Duration.seconds(5)

  /// Nobody is writing.
  public let initialState: Keyed<Writer> = []

  /// Creates the store.
  public init() {}

  /// Removes those who have stopped.
  public func reduce(
    _ writers: inout Keyed<Writer>, _ action: TypingAction, _ step: inout Step
  ) {
    switch action {
    case .stopped(let id): writers.remove(id: id)
    }
  }

  /// Follows the events of the server.
  public var reactions: [Reaction<Keyed<Writer>>] {
    [
      .on(ConnectionAction.self) { writers, action, step in
        guard case .received(let event) = action else { return }
        switch event.content {
        case .typing(let conversation, let author):
          let writer = Writer(conversation: conversation, author: author)
          writers.append(writer)
          step.effect("stop \(writer.id)") { [id = writer.id] send in
            do {
              try await send.sleep(for: Self.patience)
              send(TypingAction.stopped(id: id))
            } catch {
              // Cancelled: the message came, or somebody is still writing.
            }
          }
        case .message(let message):
          let writer = Writer(conversation: message.conversation, author: message.author)
          guard writers.remove(id: writer.id) != nil else { return }
          step.cancel("stop \(writer.id)")
        }
      },
      .on(SessionAction.self) { writers, action, step in
        guard action == .signOut else { return }
        for id in writers.ids { step.cancel("stop \(id)") }
        writers.removeAll()
      },
    ]
  }
}

public import FluxCore

/// The server of the chat: a connection in the app, a ``LocalServer`` in its tests.
///
/// Every method but the first two throws ``ChatFailure/unauthorized`` if its token is no longer valid.
public protocol ChatService: Sendable {
  /// Signs a user in.
  ///
  /// - Parameters:
  ///   - user: The user's name.
  ///   - password: The user's password.
  ///   - device: The key of this device, which stays the same.
  /// - Returns: The tokens of the session.
  /// - Throws: A ``ChatFailure``.
  func signIn(user: String, password: Secret<String>, device: Secret<String>) async throws -> Tokens

  /// Exchanges tokens for new ones; the old ones are invalid afterwards.
  ///
  /// - Parameter tokens: The tokens, of which the access token may be invalid.
  /// - Returns: The new tokens.
  /// - Throws: A ``ChatFailure``.
  func refresh(_ tokens: Tokens) async throws -> Tokens

  /// Fetches conversations, the latest first.
  ///
  /// - Parameters:
  ///   - cursor: The end of the page before; nil for the first page.
  ///   - token: The access token.
  /// - Returns: A page of conversations.
  /// - Throws: A ``ChatFailure``.
  func conversations(
    after cursor: String?, token: Secret<String>
  ) async throws -> Page<Conversation>

  /// Fetches messages, the oldest of the page first.
  ///
  /// - Parameters:
  ///   - conversation: The conversation.
  ///   - cursor: The beginning of the page after; nil for the latest messages.
  ///   - token: The access token.
  /// - Returns: A page of messages; its cursor leads to older ones.
  /// - Throws: A ``ChatFailure``.
  func messages(
    of conversation: Conversation.ID, before cursor: String?, token: Secret<String>
  ) async throws -> Page<Message>

  /// Sends a message; sending it again changes nothing.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - token: The access token.
  /// - Throws: A ``ChatFailure``.
  func post(_ message: Message, token: Secret<String>) async throws

  /// Finds messages.
  ///
  /// - Parameters:
  ///   - text: A part of the messages' texts.
  ///   - token: The access token.
  /// - Returns: The latest messages with the text.
  /// - Throws: A ``ChatFailure``.
  func search(_ text: String, token: Secret<String>) async throws -> [Message]

  /// Opens a socket.
  ///
  /// - Parameters:
  ///   - position: The position of the last known event; newer ones come first.
  ///   - token: The access token.
  /// - Returns: The events; the sequence ends when the connection does.
  /// - Throws: A ``ChatFailure``.
  func events(
    after position: Int, token: Secret<String>
  ) async throws -> AsyncThrowingStream<ServerEvent, any Error>
}

/// The tokens of a session.
public struct Tokens: StateValue {
  /// The token of every request, which is valid for a short time.
  public let access: Secret<String>
  /// The token with which new tokens are fetched, once.
  public let refresh: Secret<String>

  /// Creates tokens.
  ///
  /// - Parameters:
  ///   - access: The token of every request.
  ///   - refresh: The token with which new tokens are fetched.
  public init(access: Secret<String>, refresh: Secret<String>) {
    self.access = access
    self.refresh = refresh
  }
}

/// An event of the server.
public struct ServerEvent: StateValue {
  /// The meaning of an event.
  public enum Content: StateValue {
    /// There is a message; it may be the user's own, from this device or another one.
    case message(Message)
    /// Somebody is writing.
    case typing(conversation: Conversation.ID, author: String)
  }

  /// The number of the event, which increases.
  public let position: Int
  /// The meaning of the event.
  public let content: Content

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - position: The number of the event.
  ///   - content: The meaning of the event.
  public init(position: Int, content: Content) {
    self.position = position
    self.content = content
  }
}

/// The reasons why a request failed.
public enum ChatFailure: Error, StateValue, CustomStringConvertible {
  /// Nobody is signed in.
  case signedOut
  /// The token is no longer valid.
  case unauthorized
  /// The server cannot be reached.
  case offline
  /// The server refuses the request.
  case refused(reason: String)

  /// Creates a failure from the error of a request.
  ///
  /// - Parameter error: The error.
  public init(_ error: any Error) {
    self = error as? ChatFailure ?? .refused(reason: "\(error)")
  }

  /// A sentence for people.
  public var description: String {
    switch self {
    case .signedOut: "nobody is signed in"
    case .unauthorized: "the session has expired"
    case .offline: "the server cannot be reached"
    case .refused(let reason): reason
    }
  }
}

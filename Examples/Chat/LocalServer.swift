public import FluxCore
import Foundation

/// A server in memory, for tests and for the example program: its answers depend only on earlier requests.
public actor LocalServer: ChatService {
  private let pageSize = 20
  private let requestsPerToken: Int
  private var archive: [Conversation.ID: [Message]] = [:]
  private var conversations: [Conversation] = []
  /// The messages of the archive that came while the server ran, with their positions.
  private var events: [ServerEvent] = []
  /// The messages that were posted and not announced yet.
  private var posted: [Message] = []
  private var socket: AsyncThrowingStream<ServerEvent, any Error>.Continuation?
  /// `true` if the server answers.
  public private(set) var isReachable = true
  private var failures: [ChatFailure] = []
  private var session = 0
  private var requestCount = 0
  /// The position of the last event.
  public private(set) var position = 0

  /// `true` if a socket is open.
  public var isConnected: Bool { socket != nil }

  /// Creates a server with old messages.
  ///
  /// - Parameters:
  ///   - conversations: The number of conversations.
  ///   - messages: The number of messages in each.
  ///   - requestsPerToken: The number of requests after which an access token is no longer valid.
  public init(conversations: Int = 30, messages: Int = 50, requestsPerToken: Int = 12) {
    self.requestsPerToken = requestsPerToken
    for id in 1...max(1, conversations) {
      archive[id] = (1...max(1, messages)).map { number in
        Message(
          id: "\(id)-\(number)", conversation: id, author: Self.name(id + number % 2),
          text: Self.text(id * 7 + number),
          date: Date(timeIntervalSince1970: 1_790_000_000 + Double(number * 60)))
      }
      let preview = archive[id]?.last?.text ?? ""
      self.conversations.append(Conversation(id: id, title: Self.name(id), preview: preview))
    }
  }

  /// Returns a text; the same number gives the same text.
  ///
  /// - Parameter number: Any number that is not negative.
  /// - Returns: A short sentence.
  public static func text(_ number: Int) -> String {
    let beginnings = [
      "did you see", "I liked", "tomorrow we need", "let us talk about", "thanks for",
    ]
    let ends = [
      "the film", "the new plan", "your photos", "the train to Graz", "dinner", "that song",
    ]
    return "\(beginnings[number % beginnings.count]) \(ends[number % ends.count])"
  }

  /// Returns a name; the same number gives the same name.
  ///
  /// - Parameter number: Any number that is not negative.
  /// - Returns: A name.
  public static func name(_ number: Int) -> String {
    ["ben", "cleo", "dora", "emil", "finn", "gita", "hugo"][number % 7]
  }
}

// MARK: What happens to the server

extension LocalServer {
  /// Makes the next requests with a token fail, the first one with the first failure.
  ///
  /// - Parameter failures: The failures.
  public func fail(_ failures: [ChatFailure]) {
    self.failures += failures
  }

  /// Cuts the connection, and answers nothing until it can be reached again.
  ///
  /// - Parameter isReachable: `true` if requests are answered.
  public func setReachable(_ isReachable: Bool) {
    self.isReachable = isReachable
    if !isReachable { close(throwing: ChatFailure.offline) }
  }

  /// Closes the socket.
  ///
  /// - Parameter error: The error with which it ends; nil for none.
  public func close(throwing error: (any Error)? = nil) {
    socket?.finish(throwing: error)
    socket = nil
  }

  /// Announces the messages that were posted since the last call, like those of another device.
  public func announce() {
    for message in posted { announce(message) }
    posted = []
  }

  /// Receives a message from somebody else.
  ///
  /// - Parameters:
  ///   - author: The name of the sender.
  ///   - conversation: The conversation.
  ///   - text: The text.
  public func hear(from author: String, in conversation: Conversation.ID, _ text: String) {
    let message = Message(
      id: "event-\(position + 1)", conversation: conversation, author: author, text: text,
      date: Date(timeIntervalSince1970: 1_795_000_000 + Double(position)))
    archive[conversation, default: []].append(message)
    announce(message)
  }

  /// Announces that somebody is writing, to a client that is connected and reads.
  ///
  /// - Parameters:
  ///   - author: The name.
  ///   - conversation: The conversation.
  public func type(_ author: String, in conversation: Conversation.ID) {
    let event = ServerEvent(
      position: position + 1, content: .typing(conversation: conversation, author: author))
    // A client that has disconnected no longer reads its socket, and never gets this event.
    if case .enqueued = socket?.yield(event) { position += 1 }
  }

  private func announce(_ message: Message) {
    position += 1
    let event = ServerEvent(position: position, content: .message(message))
    events.append(event)
    socket?.yield(event)
  }
}

// MARK: Requests

extension LocalServer {
  private func check(_ token: Secret<String>) throws {
    guard isReachable else { throw ChatFailure.offline }
    if !failures.isEmpty { throw failures.removeFirst() }
    requestCount += 1
    guard try token.reveal() == "access \(session)", requestCount <= requestsPerToken else {
      throw ChatFailure.unauthorized
    }
  }

  private func newTokens() -> Tokens {
    session += 1
    requestCount = 0
    return Tokens(access: Secret("access \(session)"), refresh: Secret("refresh \(session)"))
  }

  /// Signs in everybody whose password is `open sesame`.
  public func signIn(
    user: String, password: Secret<String>, device: Secret<String>
  ) throws -> Tokens {
    guard isReachable else { throw ChatFailure.offline }
    guard try password.reveal() == "open-sesame" else {
      throw ChatFailure.refused(reason: "wrong password")
    }
    return newTokens()
  }

  /// Exchanges tokens once.
  public func refresh(_ tokens: Tokens) throws -> Tokens {
    guard isReachable else { throw ChatFailure.offline }
    guard try tokens.refresh.reveal() == "refresh \(session)" else {
      throw ChatFailure.unauthorized
    }
    return newTokens()
  }

  /// Returns a page of conversations.
  public func conversations(
    after cursor: String?, token: Secret<String>
  ) throws -> Page<Conversation> {
    try check(token)
    let start = min(cursor.flatMap { Int($0) } ?? 0, conversations.count)
    let end = min(start + pageSize, conversations.count)
    return Page(
      items: Array(conversations[start..<end]), next: end == conversations.count ? nil : "\(end)")
  }

  /// Returns a page of messages.
  public func messages(
    of conversation: Conversation.ID, before cursor: String?, token: Secret<String>
  ) throws -> Page<Message> {
    try check(token)
    let all = archive[conversation] ?? []
    let end = min(cursor.flatMap { Int($0) } ?? all.count, all.count)
    let start = max(0, end - pageSize)
    return Page(items: Array(all[start..<end]), next: start == 0 ? nil : "\(start)")
  }

  /// Keeps a message, once.
  public func post(_ message: Message, token: Secret<String>) throws {
    try check(token)
    let known = archive[message.conversation] ?? []
    guard !known.contains(where: { $0.id == message.id }) else { return }
    archive[message.conversation, default: []].append(message)
    posted.append(message)
  }

  /// Returns at most ten messages.
  public func search(_ text: String, token: Secret<String>) throws -> [Message] {
    try check(token)
    let found = archive.values.joined().filter { $0.text.contains(text) }
    return Array(found.sorted { ($0.date, $0.id) > ($1.date, $1.id) }.prefix(10))
  }

  /// Opens the socket and closes the previous one.
  public func events(
    after position: Int, token: Secret<String>
  ) throws -> AsyncThrowingStream<ServerEvent, any Error> {
    try check(token)
    close()
    let (events, socket) = AsyncThrowingStream.makeStream(of: ServerEvent.self)
    for event in self.events where event.position > position { socket.yield(event) }
    self.socket = socket
    return events
  }
}

package import FluxJSON
package import FluxSystem
import Synchronization

/// A client of an ``AppServer``: what is on its way to it, and its requests that are not answered.
///
/// Any thread may use it. What the client does not take at once waits, and ``flush()`` sends it later.
package final class AppClient: Sendable {
  /// The requests of a client that wait at most.
  private static let requestCount = 1024

  private struct State {
    /// The name by which it has made itself known.
    var name: String?
    var watches = false
    var outbox: Outbox
    var requests: [AppRequest] = []
    /// `true` if the connection ends as soon as everything is sent.
    var isClosing = false
    /// Sends bytes; nil once nobody reads them, which releases the stream.
    var write: (@Sendable (ArraySlice<UInt8>) -> Int?)?
    /// `true` if the client sends no more.
    var hasEnded = false
    /// `true` if its bytes are not read until it has taken its answers.
    var isThrottled = false
    /// `true` if it follows the log.
    var follows = false
    /// Called once at most that many bytes wait.
    var room: (byteCount: Int, body: @Sendable () -> Void)?

    /// Returns the call that is due.
    mutating func takeRoom() -> (@Sendable () -> Void)? {
      guard let (byteCount, body) = room, outbox.byteCount <= byteCount else { return nil }
      room = nil
      return body
    }

    var isFull: Bool {
      outbox.isFull || requests.count >= AppClient.requestCount
        || requests.reduce(0) { $0 + $1.byteCount } > AppProtocol.messageByteCount
    }

    var isOver: Bool { write == nil || isClosing && outbox.isEmpty }
  }

  private let state: Monitor<State>
  private let wake: @Sendable () -> Void

  /// Makes a client; `code` is nil on a connection that needs none.
  ///
  /// `wake` is called when the thread that reads from the client has to look at it again. `write` sends bytes, and returns
  /// how many the client takes now; nil if it reads no more of them.
  package init(
    code: MessageCode? = nil, wake: @escaping @Sendable () -> Void = {},
    write: @escaping @Sendable (ArraySlice<UInt8>) -> Int?
  ) {
    self.wake = wake
    state = Monitor(State(outbox: Outbox(code), write: write))
  }

  /// The name of its program, for people; nil before it has made itself known.
  package var name: String? { state.withLock { $0.name } }

  package var isGreeted: Bool { name != nil }

  func greet(name: String?) {
    // It comes from outside, and the app may show it.
    let name = String((name ?? "an inspector").prefix(Self.nameLength)).printable
    state.withLock { $0.name = name }
  }

  /// The characters of a name that are kept.
  private static let nameLength = 64

  /// `true` if it receives events.
  package var watches: Bool { state.withLock { $0.watches } }

  func watch() { state.withLock { $0.watches = true } }

  /// `true` if it follows the log, so that an answer says where in the log its steps end.
  package internal(set) var follows: Bool {
    get { state.withLock { $0.follows } }
    set {
      state.withLock { $0.follows = newValue }
      state.signal()
    }
  }

  /// Waits until the client has taken the rest of the log that it follows, or is gone.
  func waitForEndOfLog(until end: ContinuousClock.Instant) {
    let rest = ContinuousClock.now.duration(to: end) / .milliseconds(1)
    state.waitUntil(
      milliseconds: max(0, Int(rest.rounded(.up))),
      { $0.write == nil || !$0.follows && $0.outbox.isEmpty }
    ) { _ in }
  }

  /// The bytes that wait until the client reads on.
  package var waitingByteCount: Int { state.withLock { $0.outbox.byteCount } }

  /// Calls `body` once at most that many bytes wait.
  func whenWaiting(atMost byteCount: Int, _ body: @escaping @Sendable () -> Void) {
    change { $0.room = (byteCount, body) }
  }

  /// `true` if nothing more is to be sent to it.
  package var isOver: Bool { state.withLock { $0.isOver } }

  /// `true` if there is something to send.
  package var isWaiting: Bool { state.withLock { !$0.outbox.isEmpty } }

  /// `true` if more of its bytes may be read; otherwise it has to take its answers first.
  package var takesBytes: Bool {
    state.withLock { state in
      state.isThrottled = state.isFull
      return !state.isThrottled && !state.isClosing
    }
  }

  // MARK: Sending

  package func send(_ line: [UInt8]) { change { $0.outbox.add(line) } }

  /// Sends an event if the client watches, unless it is too slow.
  package func tell(_ notification: LiveNotification) {
    change { if $0.watches { $0.outbox.add(notification) } }
  }

  /// Sends a message about a request, and waits until the system has taken it; then it arrives even if this process
  /// crashes.
  ///
  /// - Returns: `false` if the request was cancelled, or the client reads nothing for a long time, as one that a person has
  ///   stopped: others wait for the same queue.
  func sendAtOnce(_ line: [UInt8], for request: AppRequest) -> Bool {
    guard !request.isCancelled else { return false }
    var place = 0
    change { state in
      state.outbox.add(line)
      place = state.outbox.addedCount
    }
    func isSent(_ state: borrowing State) -> Bool {
      state.write == nil || state.outbox.sentCount >= place
    }
    let end = ContinuousClock.now + Self.patience
    var isTaken = false
    while !isTaken, !request.isCancelled, ContinuousClock.now < end {
      state.waitUntil(milliseconds: 50, { isSent($0) }) { isTaken = isSent($0) }
    }
    return isTaken && !request.isCancelled
  }

  /// The time that a client may take to read a message on which others wait.
  private static let patience = Duration.seconds(10)

  /// Sends what the client takes now.
  package func flush() { change { _ in } }

  /// Ends the connection as soon as everything is sent.
  package func close() { change { $0.isClosing = true } }

  private func change(_ body: (inout State) -> Void) {
    let (isNews, room) = state.withLock { state in
      body(&state)
      while !state.outbox.isEmpty, let write = state.write {
        guard let count = write(state.outbox.unsent) else {
          state.write = nil
          break
        }
        guard count > 0 else { break }
        state.outbox.didSend(count)
      }
      if state.write == nil { state.outbox.removeAll() }
      let isNews = state.isOver || !state.outbox.isEmpty || state.isThrottled && !state.isFull
      return (isNews, state.takeRoom())
    }
    state.signal()
    if isNews { wake() }
    room?()
  }

  // MARK: Requests

  func begin(_ request: AppRequest) { state.withLock { $0.requests.append(request) } }

  func finish(_ request: AppRequest, _ answer: [UInt8]) {
    change { state in
      state.requests.removeAll { $0 === request }
      state.outbox.add(answer)
      if request.method == .shutdown { state.isClosing = true }
    }
  }

  /// Cancels the request with an id, or all.
  func cancel(_ id: JSON? = nil) {
    let requests = state.withLock { $0.requests }
    for request in requests where id == nil || request.id == id { request.cancel() }
  }

  /// Ends the connection at once.
  package func leave() {
    state.withLock { state in
      state.write = nil
      // The call keeps the part of a log that waits for room, which keeps the client.
      state.room = nil
      state.outbox.removeAll()
    }
    state.signal()
    cancel()
  }

  /// Notes that the client sends no more; it still gets its answers.
  package func end() { state.withLock { $0.hasEnded = true } }

  package var hasEnded: Bool { state.withLock { $0.hasEnded } }
}

/// A request of a client, which its part carries out.
package final class AppRequest: Sendable {
  package let client: AppClient
  let id: JSON
  package let method: AppProtocol.Method
  package let params: JSON
  let byteCount: Int
  private let cancelled = Atomic(false)

  init(
    _ method: AppProtocol.Method, _ params: JSON, id: JSON, of client: AppClient, byteCount: Int
  ) {
    (self.method, self.params, self.id) = (method, params, id)
    (self.client, self.byteCount) = (client, byteCount)
  }

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// The report that a step of the request is reached.
  func progress(step: UInt64, of last: UInt64? = nil) -> [UInt8] {
    RPCLine.notification(.progress, RequestProgress(request: id, step: step, last: last))
  }
}

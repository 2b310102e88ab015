import FluxLog
import FluxReplay
import FluxSystem

/// Requests to a host, and its answers: one at a time, with a time limit for each.
///
/// Used by one thread at a time. While it waits it reads whatever the host writes, so that neither side
/// ever waits for the other to read. A host that has failed is stopped.
final class HostConnection {
  /// What is set for all requests.
  struct Settings: Sendable {
    /// The app, as it is named in failures.
    var name: String
    /// No message of the host may be longer.
    var messageByteCount: Int
    /// Asked a few times a second whether to give up.
    var isCancelled: @Sendable () -> Bool
  }

  let process: HostProcess
  /// The size of the last message that came.
  private(set) var lastByteCount = 0
  private let settings: Settings
  private var splitter = LineSplitter()
  private var lastWords = LastWords()
  private var requestCount: UInt64 = 0
  private var outputIsOpen = true
  private var errorsAreOpen = true

  init(_ process: HostProcess, _ settings: Settings) {
    self.process = process
    self.settings = settings
  }

  /// The pulse of all waiting: how late it may be noticed that a host has ended while something that
  /// it started keeps its streams open, and that whoever asked has changed their mind.
  private static let pulse = Duration.milliseconds(50)

  /// How long after its output a host may take to end.
  private static let ending = Duration.seconds(1)

  /// Asks, and waits for the answer.
  ///
  /// - Parameters:
  ///   - method: What is asked.
  ///   - limit: After how many seconds without an answer the host is stopped; nil for never. Each step
  ///     that it reports begins them anew.
  ///   - onProgress: Called for each step that the host reports; where it returns false, the request is
  ///     cancelled, and the host has a second to say so.
  ///   - params: Writes the parameters.
  /// - Returns: The result.
  /// - Throws: `ReplayFailure` where there is none. But for one that the host answered with, the host
  ///   has been stopped.
  func ask(
    _ method: HostProtocol.Method, limit: Double?, onProgress: (Progress) -> Bool = { _ in true },
    params: (inout JSONWriter) -> Void
  ) throws(ReplayFailure) -> JSON {
    requestCount += 1
    var exchange = HostExchange(
      id: requestCount, method: method,
      unsent: RPCLine.request(requestCount, method, params)[...], limit: limit)
    while true {
      // Asked first, so that what it wrote before its end is read.
      let hasEnded = process.checkExit() != nil
      send(&exchange)
      receiveErrors()
      let hasReceived = try receiveOutput()
      while let line = splitter.next() {
        if let result = try read(line, &exchange, onProgress) { return result }
      }
      if !outputIsOpen || hasEnded && !hasReceived { throw end() }
      try checkLimits(exchange)
      if !hasReceived { wait(exchange) }
    }
  }

  // MARK: Streams

  private func send(_ exchange: inout HostExchange) {
    while let input = process.input, !exchange.unsent.isEmpty {
      guard let count = input.send(exchange.unsent) else {
        // It does not read any more. Why, its end or its silence is going to show.
        process.closeInput()
        return
      }
      guard count > 0 else { return }
      exchange.unsent = exchange.unsent.dropFirst(count)
    }
  }

  /// Reads what is there, but not for ever: a host may write faster than anybody reads.
  private func receiveErrors() {
    for _ in 0..<16 where errorsAreOpen {
      switch process.errors.receive() {
      case .bytes(let bytes): lastWords.append(bytes)
      case .nothing: return
      case .end: errorsAreOpen = false
      }
    }
  }

  /// Whether something came.
  private func receiveOutput() throws(ReplayFailure) -> Bool {
    switch process.output.receive() {
    case .bytes(let bytes):
      splitter.append(bytes)
      guard splitter.pendingCount <= settings.messageByteCount + bytes.count else {
        throw failure(
          .protocolViolation(
            found: "a message of more than \(settings.messageByteCount) bytes",
            expected: "a shorter one; the limit can be set"))
      }
      return true
    case .nothing: return false
    case .end:
      outputIsOpen = false
      return false
    }
  }

  private func wait(_ exchange: HostExchange) {
    var pause = Self.pulse
    if let deadline = exchange.deadline {
      pause = min(pause, max(.zero, deadline - ContinuousClock.now))
    }
    // Rounded up, so as not to come back just before the time.
    let milliseconds = Int32(pause.components.attoseconds / 1_000_000_000_000_000) + 1
    Descriptor.wait(
      reading: (outputIsOpen ? [process.output] : []) + (errorsAreOpen ? [process.errors] : []),
      writing: exchange.unsent.isEmpty ? nil : process.input, milliseconds: milliseconds)
  }

  // MARK: Answers

  /// The result, where the line is it.
  private func read(
    _ line: [UInt8], _ exchange: inout HostExchange, _ onProgress: (Progress) -> Bool
  ) throws(ReplayFailure) -> JSON? {
    guard line.count <= settings.messageByteCount else {
      throw failure(
        .protocolViolation(
          found: "a message of \(line.count) bytes",
          expected: "at most \(settings.messageByteCount); the limit can be set"))
    }
    lastByteCount = line.count
    let message: RPCMessage
    do {
      message = try RPCMessage(line)
    } catch {
      throw violation(exchange, found: Self.quoted(line), error.message)
    }
    switch message {
    case .result(let id, let result):
      try check(id, exchange)
      return result
    case .failure(let id, let error):
      try check(id, exchange)
      var failure = ReplayFailure(error, asked: exchange.method)
      failure.app = settings.name
      throw failure
    case .notification(HostProtocol.Notification.progress.rawValue, let params):
      try note(params, &exchange, onProgress)
    case .notification: break
    case .request(_, let method, _):
      throw violation(exchange, found: "the request \"\(Excerpt.printable(method))\"", nil)
    }
    return nil
  }

  private func check(_ id: JSON, _ exchange: HostExchange) throws(ReplayFailure) {
    guard id.number?.uint64 == exchange.id else {
      throw violation(exchange, found: "an answer with the id \(Excerpt.text(of: id))", nil)
    }
  }

  private func note(
    _ params: JSON, _ exchange: inout HostExchange, _ onProgress: (Progress) -> Bool
  ) throws(ReplayFailure) {
    let progress: Progress
    do {
      progress = try Progress(params)
    } catch {
      throw failure(.protocolViolation(found: error.description, expected: "progress with a step"))
    }
    guard progress.request.number?.uint64 == exchange.id else { return }
    // A sign of life is only one that says more than the last.
    guard exchange.step.map({ progress.step > $0 }) ?? true else { return }
    exchange.step = progress.step
    exchange.restart()
    guard !exchange.isCancelled, !onProgress(progress) else { return }
    exchange.cancel(after: Self.ending)
  }

  /// A line of a host that is none of the protocol, for a message.
  private static func quoted(_ line: [UInt8]) -> String {
    let limit = 80
    let text = Excerpt.printable(String(decoding: line.prefix(limit), as: UTF8.self))
    return "the line \"\(text)\(line.count > limit ? "…" : "")\""
  }

  // MARK: Failures

  private func checkLimits(_ exchange: HostExchange) throws(ReplayFailure) {
    if settings.isCancelled() { throw failure(.cancelled) }
    guard let deadline = exchange.deadline, ContinuousClock.now >= deadline else { return }
    if exchange.isCancelled { throw failure(.cancelled) }
    throw failure(.timedOut(seconds: exchange.limit ?? 0))
  }

  /// The failure of a host that has ended, or has nothing more to say.
  private func end() -> ReplayFailure {
    guard let exit = process.waitForExit(Self.ending) else {
      return failure(
        .protocolViolation(
          found: "the end of its standard output while it runs on", expected: "an answer"))
    }
    return failure(.exited(exit))
  }

  private func violation(
    _ exchange: HostExchange, found: String, _ problem: String?
  ) -> ReplayFailure {
    let expected = "an answer to request \(exchange.id), \(exchange.method.rawValue)"
    return failure(
      .protocolViolation(found: found, expected: problem.map { "\(expected): \($0)" } ?? expected))
  }

  /// Stops the host, and says why.
  func failure(_ reason: ReplayFailure.Reason) -> ReplayFailure {
    process.stop()
    receiveErrors()
    var failure = ReplayFailure(reason, app: settings.name)
    if reason != .cancelled { failure.lastWords = lastWords.lines }
    return failure
  }

  /// Lets the host go, which has nothing more to do.
  func end(within limit: Duration) {
    guard process.checkExit() == nil else { return }
    let shutdown = RPCLine.request(requestCount + 1, .shutdown) { writer in
      writer.beginObject()
      writer.endObject()
    }
    // Where it is not taken at once, the end of the input says the same.
    _ = process.input?.send(shutdown[...])
    process.closeInput()
    process.waitForExit(limit)
    process.stop()
  }
}

/// One request and what has come of it so far.
struct HostExchange {
  let id: UInt64
  let method: HostProtocol.Method
  /// What the host has not taken yet.
  var unsent: ArraySlice<UInt8>
  /// How many seconds the host may be silent; nil for as long as it likes.
  let limit: Double?
  /// When they are over.
  private(set) var deadline: ContinuousClock.Instant?
  /// The last step that it has told of.
  var step: UInt64?
  private(set) var isCancelled = false

  init(id: UInt64, method: HostProtocol.Method, unsent: ArraySlice<UInt8>, limit: Double?) {
    self.id = id
    self.method = method
    self.unsent = unsent
    self.limit = limit
    restart()
  }

  /// Gives the host its time anew.
  mutating func restart() {
    // A limit that is longer than anybody waits is none, and would not fit into a duration.
    guard !isCancelled else { return }
    deadline = limit.flatMap { $0 < 1e9 ? ContinuousClock.now + .seconds(max($0, 0)) : nil }
  }

  /// Lets the host know that its answer is not needed any more.
  mutating func cancel(after grace: Duration) {
    isCancelled = true
    deadline = ContinuousClock.now + grace
    unsent += RPCLine.notification(.cancel) { writer in
      writer.beginObject()
      writer.member("request", id)
      writer.endObject()
    }
  }
}

import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem

/// A connection to a host: one request at a time, each with a time limit.
///
/// One thread at a time uses it. While it waits, it reads everything that the host writes, so neither side
/// blocks the other. It stops a host that has failed.
final class HostConnection {
  struct Settings: Sendable {
    /// The app's name in failures.
    var name: String
    /// The limit for messages of the host.
    var messageByteCount: Int
    /// The limit for the memory of a message that is parsed.
    var valueByteCount: Int
    /// Called a few times a second; `true` cancels the request.
    var isCancelled: @Sendable () -> Bool
  }

  let process: HostProcess
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

  /// The interval between two checks for cancellation, and for the end of a host whose children keep its
  /// streams open.
  private static let pulse = Duration.milliseconds(50)

  /// The time that a host has to exit after it closed its output.
  private static let ending = Duration.seconds(1)

  /// Sends a request, and waits for the answer.
  ///
  /// - Parameters:
  ///   - method: The request.
  ///   - limit: The limit in seconds after which the host is stopped; nil for none. Each reported step
  ///     restarts it, at most `steps` times.
  ///   - steps: The number of steps that the request runs.
  ///   - onProgress: Called for each reported step. `false` cancels the request; the host then has a second
  ///     to answer.
  ///   - params: The parameters.
  /// - Returns: The result.
  /// - Throws: `ReplayFailure` if there is none. The host has been stopped, unless it answered with the
  ///   failure.
  func ask(
    _ method: HostProtocol.Method, limit: Double?, steps: Int = 0,
    onProgress: (Progress) -> Bool = { _ in true }, params: some Encodable
  ) throws(ReplayFailure) -> JSON {
    requestCount += 1
    var exchange = HostExchange(
      id: requestCount, method: method,
      unsent: RPCLine.request(requestCount, method, params)[...], limit: limit, steps: steps)
    while true {
      // Checked first, so that everything written before the end is read.
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
        // It no longer reads. Its exit or the time limit will show why.
        process.closeInput()
        return
      }
      guard count > 0 else { return }
      exchange.unsent = exchange.unsent.dropFirst(count)
    }
  }

  /// Reads what is there, but not endlessly: a host may write faster than this side reads.
  private func receiveErrors() {
    for _ in 0..<16 where errorsAreOpen {
      switch process.errors.receive() {
      case .bytes(let bytes): lastWords.append(bytes)
      case .nothing: return
      case .end: errorsAreOpen = false
      }
    }
  }

  /// Reads once from the output; returns `true` if something arrived.
  private func receiveOutput() throws(ReplayFailure) -> Bool {
    switch process.output.receive() {
    case .bytes(let bytes):
      splitter.append(bytes)
      guard splitter.pendingCount <= settings.messageByteCount + bytes.count else {
        throw failure(
          .protocolViolation(
            found: "a message of more than \(settings.messageByteCount) bytes",
            expected: "a shorter one; \(MemoryLimit.advice)"))
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
    // Rounded up, to avoid a wake-up just before the deadline.
    let milliseconds = Int32(pause.components.attoseconds / 1_000_000_000_000_000) + 1
    Descriptor.wait(
      reading: (outputIsOpen ? [process.output] : []) + (errorsAreOpen ? [process.errors] : []),
      writing: exchange.unsent.isEmpty ? nil : process.input, milliseconds: milliseconds)
  }

  // MARK: Answers

  /// Returns the result if the line has it.
  private func read(
    _ line: [UInt8], _ exchange: inout HostExchange, _ onProgress: (Progress) -> Bool
  ) throws(ReplayFailure) -> JSON? {
    guard line.count <= settings.messageByteCount else {
      throw failure(
        .protocolViolation(
          found: "a message of \(line.count) bytes",
          expected: "at most \(settings.messageByteCount); \(MemoryLimit.advice)"))
    }
    lastByteCount = line.count
    let memory = Self.memory(of: line)
    guard memory <= settings.valueByteCount else {
      throw failure(
        .protocolViolation(
          found: "a message whose values take about \(memory) bytes of memory",
          expected: "at most \(settings.valueByteCount); \(MemoryLimit.advice)"))
    }
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
      throw violation(exchange, found: "the request \"\(method.printable)\"", nil)
    }
    return nil
  }

  /// Estimates the memory of a message that is parsed, in which a value takes 16 bytes.
  ///
  /// The text of a value can have two bytes, so a message can take eight times its length.
  private static func memory(of line: [UInt8]) -> Int {
    let separators = line.count { $0 == 0x2C || $0 == 0x3A || $0 == 0x5B || $0 == 0x7B }
    return line.count + 16 * separators
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
      throw failure(
        .protocolViolation(found: error.description, expected: "progress with a step"))
    }
    guard progress.request.number?.uint64 == exchange.id else { return }
    guard exchange.advance(to: progress.step) else { return }
    guard !exchange.isCancelled, !onProgress(progress) else { return }
    exchange.cancel(after: Self.ending)
  }

  private static func quoted(_ line: [UInt8]) -> String {
    let limit = 80
    let text = String(decoding: line.prefix(limit), as: UTF8.self).printable
    return "the line \"\(text)\(line.count > limit ? "…" : "")\""
  }

  // MARK: Failures

  private func checkLimits(_ exchange: HostExchange) throws(ReplayFailure) {
    if settings.isCancelled() { throw failure(.cancelled) }
    guard let deadline = exchange.deadline, ContinuousClock.now >= deadline else { return }
    if exchange.isCancelled { throw failure(.cancelled) }
    throw failure(.timedOut(seconds: exchange.limit ?? 0))
  }

  /// Returns the failure of a host that has exited or closed its output.
  private func end() -> ReplayFailure {
    guard let exit = process.waitForExit(Self.ending) else {
      return failure(
        .protocolViolation(
          found: "the end of its standard output while it is still running", expected: "an answer"
        ))
    }
    return failure(.exited(exit))
  }

  private func violation(
    _ exchange: HostExchange, found: String, _ problem: String?
  ) -> ReplayFailure {
    let expected = "an answer to request \(exchange.id), \(exchange.method.rawValue)"
    return failure(
      .protocolViolation(found: found, expected: problem.map { "\(expected): \($0)" } ?? expected)
    )
  }

  /// Stops the host, and returns the failure.
  func failure(_ reason: ReplayFailure.Reason) -> ReplayFailure {
    process.stop()
    receiveErrors()
    var failure = ReplayFailure(reason, app: settings.name)
    if reason != .cancelled { failure.lastWords = lastWords.lines }
    return failure
  }

  func end(within limit: Duration) {
    guard process.checkExit() == nil else { return }
    let shutdown = RPCLine.request(requestCount + 1, .shutdown, [:] as JSON)
    // If the pipe is full, the end of the input has the same effect.
    _ = process.input?.send(shutdown[...])
    process.closeInput()
    process.waitForExit(limit)
    process.stop()
  }
}

struct HostExchange {
  let id: UInt64
  let method: HostProtocol.Method
  var unsent: ArraySlice<UInt8>
  /// The limit in seconds without progress; nil for none.
  let limit: Double?
  /// The end of the current limit; nil if there is none.
  private(set) var deadline: ContinuousClock.Instant?
  /// The last reported step.
  private var step: UInt64?
  /// The number of steps that the request runs and the host has not reported.
  private var unreported: Int
  private(set) var isCancelled = false

  init(
    id: UInt64, method: HostProtocol.Method, unsent: ArraySlice<UInt8>, limit: Double?, steps: Int
  ) {
    self.id = id
    self.method = method
    self.unsent = unsent
    self.limit = limit
    unreported = steps
    restart()
  }

  /// Restarts the limit after a report; returns `false` if the report is none of a further step.
  mutating func advance(to reported: UInt64) -> Bool {
    guard unreported > 0, step.map({ reported > $0 }) ?? true else { return false }
    step = reported
    unreported -= 1
    restart()
    return true
  }

  private mutating func restart() {
    // A limit of decades counts as none, and would overflow a duration.
    guard !isCancelled else { return }
    deadline = limit.flatMap { $0 < 1e9 ? ContinuousClock.now + .seconds(max($0, 0)) : nil }
  }

  /// Cancels the request; the host has `grace` to answer.
  mutating func cancel(after grace: Duration) {
    isCancelled = true
    deadline = ContinuousClock.now + grace
    unsent += RPCLine.notification(.cancel, Cancellation(request: id))
  }
}

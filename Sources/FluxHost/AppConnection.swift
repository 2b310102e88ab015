import FluxJSON
import FluxReplay
import FluxSystem

/// The streams to and from an app; its reads and writes never wait.
protocol AppStreams: Sendable {
  /// `true` if the app has ended; asked before what it wrote is read to the end.
  var hasEnded: Bool { get }

  /// Writes what the app takes now.
  ///
  /// - Returns: The number of bytes; nil if it reads no more.
  func send(_ bytes: ArraySlice<UInt8>) -> Int?

  func receive() -> Descriptor.Received

  /// Waits until there is something to read, or room to write.
  func wait(toWrite writes: Bool, milliseconds: Int32)
}

/// A connection to an app: requests by id, each with a time limit, from any thread.
///
/// Whoever waits for an answer reads the app's messages for all, unless another thread does. So neither side blocks the
/// other, and a connection without a request needs no thread.
final class AppConnection: Sendable {
  /// The reason why there is no result.
  enum Failure: Error, Equatable {
    /// The app answered with an error.
    case refused(RPCError)
    /// The app sent an error that belongs to no request.
    case unrelated(RPCError)
    /// The app sent something else than an answer, or than `expected`.
    case malformed(found: String, problem: String? = nil, expected: String? = nil)
    /// The app has ended, or closed the connection.
    case ended
    case timedOut
    case cancelled
  }

  private struct State {
    var lastID: UInt64 = 0
    var exchanges: [UInt64: Exchange] = [:]
    /// The requests that nobody waits for, and that the app may still answer.
    var abandoned: Set<UInt64> = []
    var unsent: ArraySlice<UInt8> = []
    /// The codes of the messages to the app; nil on a connection that needs none.
    var code: MessageCode?
    /// `true` while a thread reads.
    var isReading = false
    /// The reason why the connection cannot go on.
    var ending: Failure?

    mutating func send(_ line: [UInt8]) { unsent += code?.line(of: line) ?? line }

    /// Ends the wait for an answer; one that comes too late is expected once.
    mutating func end(_ id: UInt64) {
      if exchanges.removeValue(forKey: id)?.answer == nil { abandoned.insert(id) }
    }

    mutating func take(
      _ result: Result<JSON, Failure>, to id: JSON, byteCount: Int
    ) throws(Failure) {
      guard let number = id.number?.uint64, 1...max(1, lastID) ~= number else {
        throw .malformed(found: "an answer with the id \(Excerpt.text(of: id))")
      }
      let isExpected = exchanges[number].map { $0.answer == nil } ?? false
      guard isExpected || abandoned.remove(number) != nil else {
        throw .malformed(found: "a second answer with the id \(number)")
      }
      exchanges[number]?.answer = (result, byteCount)
    }
  }

  private struct Reading {
    var splitter = LineSplitter()
    /// The codes of the app's messages; nil on a connection that needs none.
    var code: MessageCode?
    /// The bytes that were received before.
    var begun: [UInt8]
  }

  private let state: Monitor<State>
  private let reading: Monitor<Reading>
  private let streams: any AppStreams
  private let messageByteCount: Int
  /// The limit for the memory of a message that is parsed.
  private var valueByteCount: Int { 2 * min(messageByteCount, .max / 2) }
  let isCancelled: @Sendable () -> Bool
  private let tell: @Sendable (AppProtocol.Notification, JSON) throws(MalformedMessage) -> Void

  /// Makes a connection; `codes` is nil if its messages need none.
  ///
  /// `messageByteCount` is the limit for messages of the app. A thread that waits calls `isCancelled` a few times a second;
  /// `true` cancels its request. `tell` is called with each notification that is not about a request.
  init(
    _ streams: any AppStreams, codes: MessageCodes? = nil, messageByteCount: Int,
    isCancelled: @escaping @Sendable () -> Bool,
    tell: @escaping @Sendable (AppProtocol.Notification, JSON) throws(MalformedMessage) -> Void = {
      _, _ in
    }
  ) {
    self.streams = streams
    state = Monitor(State(code: codes?.sent))
    reading = Monitor(Reading(code: codes?.received, begun: codes?.begun ?? []))
    (self.messageByteCount, self.isCancelled, self.tell) = (messageByteCount, isCancelled, tell)
  }

  /// The interval between two checks for cancellation, and for the end of an app whose children keep its streams open.
  private static let pulse = Duration.milliseconds(50)

  /// The time that an app has to answer a request that was cancelled.
  static let grace = Duration.seconds(1)

  /// The reason why the connection cannot go on; nil while it can.
  var ending: Failure? { state.withLock { $0.ending } }

  var nextID: UInt64 { state.withLock { $0.lastID + 1 } }

  // MARK: Requests

  /// Sends a request, and waits for the answer for at most `limit` seconds; nil for no limit.
  ///
  /// Each reported step restarts the limit, at most `steps` times, the number of steps that the request runs. `onProgress`
  /// is called for each; `false` cancels the request, and the app then has a second to answer. The count is that of the
  /// bytes of the answer's message.
  func ask(
    _ method: AppProtocol.Method, _ params: some Encodable, limit: Double?, steps: Int = 0,
    onProgress: (RequestProgress) -> Bool = { _ in true }
  ) throws(Failure) -> (result: JSON, byteCount: Int) {
    let id = try state.withLock { state throws(Failure) in
      if let ending = state.ending { throw ending }
      state.lastID += 1
      state.exchanges[state.lastID] = Exchange(limit: limit, steps: steps)
      state.send(RPCLine.request(state.lastID, method, params))
      return state.lastID
    }
    defer { state.withLock { $0.end(id) } }
    var goesOn = true
    while true {
      flush()
      turn(waitingFor: id)
      // Taken together: a report that came before the end is seen before it.
      let (reports, answer, ending) = state.withLock { state in
        defer { state.exchanges[id]?.reports = [] }
        return (state.exchanges[id]?.reports ?? [], state.exchanges[id]?.answer, state.ending)
      }
      for report in reports where goesOn {
        goesOn = onProgress(report)
        if !goesOn { cancel(id) }
      }
      if let answer { return (try answer.result.get(), answer.byteCount) }
      if let ending { throw ending }
      try check(id)
    }
  }

  private func check(_ id: UInt64) throws(Failure) {
    guard let exchange = state.withLock({ $0.exchanges[id] }) else { return }
    let isLate = exchange.deadline.map { ContinuousClock.now >= $0 } ?? false
    guard isCancelled() || isLate else { return }
    cancel(id)
    flush()
    throw isCancelled() || exchange.isCancelled ? .cancelled : .timedOut
  }

  /// Asks the app to cancel a request, once.
  private func cancel(_ id: UInt64) {
    state.withLock { state in
      guard state.exchanges[id]?.isCancelled == false else { return }
      state.exchanges[id]?.cancel(after: Self.grace)
      state.send(RPCLine.notification(.cancel, ["request": id]))
    }
  }

  /// Sends a request without waiting for its answer, as far as the app takes it now.
  func post(_ method: AppProtocol.Method, _ params: some Encodable) {
    state.withLock { state in
      state.lastID += 1
      state.abandoned.insert(state.lastID)
      state.send(RPCLine.request(state.lastID, method, params))
    }
    flush()
  }

  /// Sends what the app takes now.
  private func flush() {
    state.withLock { state in
      while !state.unsent.isEmpty {
        // If the app no longer reads, its end or the time limit will show why.
        guard let count = streams.send(state.unsent) else { return state.unsent = [] }
        guard count > 0 else { return }
        state.unsent = state.unsent.dropFirst(count)
      }
    }
  }

  // MARK: Reading

  /// Reads until the connection ends, for all other threads.
  func read() {
    while ending == nil {
      let isReader = state.withLock { state in
        defer { state.isReading = true }
        return !state.isReading
      }
      if isReader {
        read(orWait: -1, toWrite: false)
      } else {
        state.waitUntil({ !$0.isReading }) { _ in }
      }
    }
  }

  /// Reads once, or waits a moment; leaves the reading to another thread if that has begun it.
  private func turn(waitingFor id: UInt64) {
    let (isReader, hasUnsent, deadline) = state.withLock { state in
      defer { state.isReading = true }
      return (!state.isReading, !state.unsent.isEmpty, state.exchanges[id]?.deadline)
    }
    let rest = deadline.map { max(.zero, $0 - ContinuousClock.now) } ?? Self.pulse
    // Rounded up, to avoid a wake-up just before the deadline.
    let pause = min(Self.pulse, rest).components.attoseconds / 1_000_000_000_000_000 + 1
    if isReader { return read(orWait: Int32(pause), toWrite: hasUnsent) }
    if hasUnsent { return streams.wait(toWrite: true, milliseconds: Int32(pause)) }
    state.waitUntil(
      milliseconds: Int(pause),
      { state in
        !state.isReading || state.ending != nil || state.exchanges[id]?.isNews == true
      }
    ) { _ in }
  }

  private func read(orWait milliseconds: Int32, toWrite: Bool) {
    let ending = reading.withLock { receive(&$0, orWait: milliseconds, toWrite: toWrite) }
    state.withLock { state in
      state.isReading = false
      state.ending = state.ending ?? ending
    }
    state.signal()
  }

  /// Reads once, or waits until there is something to read; returns the reason if the connection cannot go on.
  private func receive(
    _ reading: inout Reading, orWait milliseconds: Int32, toWrite: Bool
  ) -> Failure? {
    // Asked first, so that everything written before the end is read.
    let hasEnded = streams.hasEnded
    let received = reading.begun.isEmpty ? streams.receive() : .bytes(reading.begun)
    reading.begun = []
    switch received {
    case .end: return .ended
    case .nothing:
      if hasEnded { return .ended }
      streams.wait(toWrite: toWrite, milliseconds: milliseconds)
    case .bytes(let bytes):
      reading.splitter.append(bytes)
      while let line = reading.splitter.next() {
        do throws(Failure) {
          try take(line, &reading.code)
        } catch {
          return error
        }
      }
      if reading.splitter.pendingCount > messageByteCount {
        return .malformed(
          found: "a message of more than \(messageByteCount) bytes",
          expected: "a shorter one; \(MemoryLimit.advice)")
      }
    }
    return nil
  }

  private func take(_ line: [UInt8], _ code: inout MessageCode?) throws(Failure) {
    guard let message = code == nil ? line : code?.message(in: line) else {
      throw .malformed(
        found: "a message that was altered on its way", expected: "one with the code of the app")
    }
    try take(message)
  }

  private func take(_ line: [UInt8]) throws(Failure) {
    if RPCLine.isBlank(line) { return }
    guard line.count <= messageByteCount else {
      throw .malformed(
        found: "a message of \(line.count) bytes",
        expected: "at most \(messageByteCount); \(MemoryLimit.advice)")
    }
    let memory = Self.memory(of: line)
    guard memory <= valueByteCount else {
      throw .malformed(
        found: "a message whose values take about \(memory) bytes of memory",
        expected: "at most \(valueByteCount); \(MemoryLimit.advice)")
    }
    let message: RPCMessage
    do throws(RPCMessage.Unreadable) {
      message = try RPCMessage(line)
    } catch {
      throw .malformed(found: Self.quoted(line), problem: error.answer.message)
    }
    switch message {
    case .result(let id, let result): try note(.success(result), id, line.count)
    case .failure(.null, let error): throw .unrelated(error)
    case .failure(let id, let error): try note(.failure(.refused(error)), id, line.count)
    case .request(_, let method, _):
      throw .malformed(found: "the request \"\(method.printable)\"")
    case .notification(let name, let params):
      do throws(MalformedMessage) {
        switch AppProtocol.Notification(rawValue: name) {
        case .progress: note(try RequestProgress(params))
        case let notification?: try tell(notification, params)
        case nil: break
        }
      } catch {
        throw .malformed(found: error.description, expected: "progress with a step")
      }
    }
  }

  /// Estimates the memory of a message that is parsed, in which a value takes 16 bytes.
  ///
  /// The text of a value can have two bytes, so a message can take eight times its length.
  private static func memory(of line: [UInt8]) -> Int {
    let separators = line.count { $0 == 0x2C || $0 == 0x3A || $0 == 0x5B || $0 == 0x7B }
    return line.count + 16 * separators
  }

  private func note(
    _ result: Result<JSON, Failure>, _ id: JSON, _ byteCount: Int
  ) throws(Failure) {
    try state.withLock { state throws(Failure) in
      try state.take(result, to: id, byteCount: byteCount)
    }
  }

  private func note(_ progress: RequestProgress) {
    guard let id = progress.request.number?.uint64 else { return }
    state.withLock { $0.exchanges[id]?.note(progress) }
  }

  private static func quoted(_ line: [UInt8]) -> String {
    let limit = 80
    let text = String(decoding: line.prefix(limit), as: UTF8.self).printable
    return "the line \"\(text)\(line.count > limit ? "…" : "")\""
  }
}

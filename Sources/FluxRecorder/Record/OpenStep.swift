import FluxCore
import FluxLog

/// A step of a ``RecordingSession`` whose action is noted and whose reducer may run now.
///
/// One that is let go without an end, as where the reducer throws, counts as rejected.
public struct OpenStep: ~Copyable {
  /// The number of the step; nil where it is inside another one, or recording could not begin.
  public let number: UInt64?
  private let session: RecordingSession
  private let content: Content
  private var hasEnded = false

  private enum Content {
    case recorded(StepRecord, began: ContinuousClock.Instant?)
    case leftOut(LogGap.Why, LogValue)
    /// Inside another step, or without a log.
    case unrecorded
  }

  /// Takes the turn, and notes the action.
  init(
    _ session: RecordingSession, _ action: some Encodable & Sendable, _ origin: StepOrigin,
    isTimed: Bool
  ) {
    self.session = session
    let turn = session.enterTurn()
    guard let turn, let recording = session.recording else {
      number = nil
      content = .unrecorded
      return
    }
    number = turn
    let value = LogValue(action: action)
    if let why = session.reasonToLeaveOut(action) {
      content = .leftOut(why, value)
      return
    }
    let time = session.now(recording)
    var record = StepRecord(
      number: turn, time: time,
      action: recording.writer.begin(
        step: turn, at: time, action: value, origin: ActionOrigin(origin)))
    record.target = origin.target
    record.cause = origin.cause
    record.effect = origin.effect
    if session.options.notesSource { record.source = origin.source.description }
    content = .recorded(record, began: isTimed ? .now : nil)
  }

  deinit {
    guard !hasEnded else { return }
    end(states: [:], rejection: LogRejection(reason: "failed", message: Self.lost))
  }

  private static let lost =
    "the step was neither committed nor rejected: its reducer may have thrown"

  /// Ends the step: its reducer has run.
  ///
  /// - Parameter states: The states that it led to, by the names of their stores: all, or those that may
  ///   have changed; nil for one that is gone.
  public consuming func commit(states: [String: (any Encodable & Sendable)?]) {
    hasEnded = true
    end(states: states, rejection: nil)
  }

  /// Ends the step: it was refused, and no state changed.
  ///
  /// - Parameters:
  ///   - message: Why, as one sentence for people.
  ///   - store: The store that refused it, where one did.
  public consuming func reject(_ message: String, store: String? = nil) {
    hasEnded = true
    end(
      states: [:], rejection: LogRejection(reason: "refused", message: message, store: store))
  }

  private func end(states: [String: (any Encodable & Sendable)?], rejection: LogRejection?) {
    defer { session.leaveTurn() }
    guard let number, let writer = session.recording?.writer else { return }
    let changes = states.sorted { $0.key < $1.key }.map { name, state in
      StepRecord.Change(store: name, state: state.map { LogValue($0) })
    }
    switch content {
    case .recorded(var record, let began):
      record.changes = changes
      record.rejection = rejection
      record.took = began.map { $0.duration(to: .now).wholeMicroseconds }
      writer.append(record)
    case .leftOut(let why, let action):
      writer.skip(step: number, changes: changes, why: why, action: action)
    case .unrecorded: break
    }
  }
}

/// Where an action came from.
struct StepOrigin {
  let target: String?
  let cause: UInt64?
  let effect: String?
  let source: CallSite

  init(target: String?, cause: UInt64?, effect: String?, file: StaticString, line: UInt) {
    self.target = target
    self.cause = cause
    self.effect = effect
    source = CallSite(file: file, line: line)
  }
}

extension ActionOrigin {
  fileprivate init(_ origin: StepOrigin) {
    self.init(target: origin.target, cause: origin.cause, effect: origin.effect)
  }
}

extension RecordingSession {
  /// Why a step with that action is not written; nil where it is.
  func reasonToLeaveOut(_ action: some Encodable) -> LogGap.Why? {
    if isPaused { return .paused }
    guard let leavesOut = options.leavesOut else { return nil }
    do {
      let type = try JSON.parse(try ActionText.bytes(of: action))["type"]?.string
      return type.map(leavesOut) == true ? .filtered : nil
    } catch {
      // Where the action is written the same happens, and is reported.
      return nil
    }
  }
}

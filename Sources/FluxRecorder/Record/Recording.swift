import FluxCore
import FluxJSON
import FluxLog
import FluxSystem
import Foundation

/// The log of a ``Recorder`` that has begun.
final class Recording: Sendable {
  let writer: LogWriter
  let redactor: Redactor
  private let failures: FirstFailure
  /// The `userInfo` with which the app's values are encoded.
  private let userInfo: [CodingUserInfoKey: any Sendable]
  /// The zero of the log's time.
  let created: Date
  let launch: LaunchName?
  private let destination: LogDestination
  private let isSegmented: Bool
  private let clock: @Sendable () -> Date
  private let beginning = ContinuousClock.now

  /// Begins a log and writes its header to disk.
  ///
  /// `header` creates the header, given the redactor of its states.
  ///
  /// - Throws: `LogError` if the file cannot be created, `PointerError` if the redaction has a
  ///   malformed pointer, and the errors of `header`.
  init(
    _ destination: LogDestination, _ settings: Recorder.Options, _ failures: FirstFailure,
    created: Date, clock: @escaping @Sendable () -> Date, header: (Redactor) throws -> LogHeader
  ) throws {
    try destination.check()
    self.destination = destination
    var options = settings.log
    isSegmented = options.retention != nil
    options.remembersElements = settings.remembersElements
    options.onFailure = { failures.report($0) }
    options.runWriting = { write in
      // Threads that wait for the writing thread may have the turn of a dispatcher.
      let turn = OtherTurn()
      turn.begin()
      write()
      turn.end()
    }
    options.onMismatch = { store, elementType in
      failures.noteMismatch(path: destination.path, store: store, elementType: elementType)
    }
    let redactor = try Redactor(settings.redaction) { place, step in
      let reason = LogError.Reason.recomputableSecret(place: place, step: step)
      failures.report(LogError(path: destination.path, reason: reason))
    }
    self.redactor = redactor
    userInfo = redactor.userInfo
    self.failures = failures
    options.rewriter = redactor
    options.userInfo = userInfo
    let first = try LogEncoder.$ambientUserInfo.withValue(userInfo) { try header(redactor) }
    (writer, launch) = try destination.begin(first, options) { failures.report($0) }
    self.created = created
    self.clock = clock
  }

  /// Closes the log, and reports the redaction pointers that matched no value.
  ///
  /// With `isComplete: false`, the log says that recording failed.
  func close(isComplete: Bool) throws(LogError) {
    defer {
      let unmatched = redactor.unmatched
      if !unmatched.isEmpty {
        failures.report(LogError(path: writer.path, reason: .unmatchedRedaction(unmatched)))
      }
    }
    try writer.close(isComplete: isComplete)
  }

  /// The file that is written; with a flight recorder, the current segment.
  var url: URL {
    let path = writer.path
    return path == destination.path ? destination.url : URL(filePath: path)
  }

  /// The path of the file, if it is not the requested one because another recorder is writing that.
  var movedPath: String? {
    let path = writer.path
    return isSegmented || launch != nil || path == destination.path ? nil : path
  }

  /// The monotonic time since the recording began.
  var age: Duration { beginning.duration(to: .now) }

  /// The time of the log's clock, which may decrease.
  var now: Date { clock() }

  /// Logs an action before its reducers run.
  func begin(
    step: UInt64, at time: LogTime, action: LogValue, origin: ActionOrigin
  ) -> LogValue {
    encoding { writer.begin(step: step, at: time, action: action, origin: origin) }
  }

  /// Encodes values of the app on its own thread, with the log's tokens in place of secrets.
  @inline(__always)
  func encoding<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard SecretCoding.isInUse else { return try body() }
    return try LogEncoder.$ambientUserInfo.withValue(userInfo, operation: body)
  }

  /// Shows the secrets that a step has drawn to the redactor.
  ///
  /// Not on the writing thread, because the next action may begin before, and hides copies of them.
  func show(_ drawn: [Secret<String>]) {
    guard !drawn.isEmpty, redactor.changesValues, writer.notesActions else { return }
    encoding {
      do {
        _ = try LogEncoder().encode(drawn)
      } catch {
        // The writer of the log reports it.
      }
    }
  }

  /// Leaves out a step; the next written step contains its changes.
  func skip(_ envelope: Envelope, _ changes: ChangedStates, _ fate: Recorder.Step.Fate) {
    encoding {
      writer.skip(
        step: envelope.step, changes: changes.records, why: fate == .paused ? .paused : .filtered,
        action: LogValue(action: envelope.action))
    }
  }

  /// Writes the model to which the app was set; `beginning` is its model in the header.
  ///
  /// While the recording is paused, the line contains no states.
  func restore(
    _ restoration: Restoration, beginning: (step: UInt64?, next: UInt64), isPaused: Bool
  ) {
    // Earlier steps are not in the log. The header's model can be an old one, if it was restored before.
    let step = restoration.step.flatMap { step in
      step == beginning.step ? beginning.next &- 1 : step >= beginning.next ? step : nil
    }
    writer.restore(
      after: step, next: restoration.nextStep,
      changes: restoration.changed.map { store in
        let state = restoration.model.snapshot(of: store)
        return StepRecord.Change(store: store.rawValue, state: state.map { LogValue(snapshot: $0) })
      },
      tellsStates: !isPaused)
  }

  func time(of date: Date) -> LogTime { LogTime(of: date, since: created) }
}

extension LogHeader {
  /// Creates the header of a new log, without its stores.
  init(created: Date, seed: UInt64?, first: UInt64, app: App?, _ redaction: Redaction) {
    self.init(
      log: UUID().uuidString.lowercased(), created: LogInstant(of: created),
      seed: seed, first: first, app: app,
      platform: Platform(os: operatingSystemName, swift: swiftVersion), redacted: redaction.states,
      only: redaction.allowed?.states)
  }
}

extension LogHeader.Store {
  /// Describes a store with its redacted state before the first step.
  ///
  /// - Throws: `EncodingFailure` if the state cannot be encoded, and the errors of the redactor.
  init(
    name: String, type: String?, isFeature: Bool, state: (any Encodable)?, _ redactor: Redactor
  ) throws {
    let json = try EncodingFailure.wrapping(name) { try state.map { try LogEncoder().encode($0) } }
    let initial = try json.map { try redactor.rewrite(.state(name), $0) }
    self.init(name: name, type: type, isFeature: isFeature, initial: initial)
  }
}

private let swiftVersion: String = {
  #if swift(>=6.4)
    "6.4"
  #elseif swift(>=6.3)
    "6.3"
  #else
    "6.2"
  #endif
}()

import FluxCore
import FluxJSON
import FluxLog
import FluxSystem
public import Foundation
import Synchronization

extension Recorder {
  /// Begins the log of an app without a dispatcher.
  ///
  /// - Parameters:
  ///   - states: The states before the first step, by the names of their stores; nil for an absent
  ///     state. Steps can add stores that are not listed here.
  ///   - seed: The seed of the random numbers of all steps; random by default.
  ///   - now: The clock of the log; by default the system clock.
  public func start(
    states: [String: (any Encodable & Sendable)?], seed: UInt64 = .random(in: .min ... .max),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    start(seed: seed, now: now) { redactor in
      try states.sorted { $0.key < $1.key }.map { name, state in
        try LogHeader.Store(
          name: name, type: state.map { String(describing: type(of: $0)) },
          isFeature: state == nil, state: state, redactor)
      }
    }
  }

  /// Begins the log of an app without a dispatcher whose states need not be `Encodable`.
  ///
  /// States and actions are read by reflection during the call, on the calling thread. Their stored members are
  /// written, and never computed ones. Values that are `Encodable` encode themselves, except for objects and
  /// collections, which are always looked into. What reflection cannot or must not look into is `{"$opaque":"Type"}`:
  /// actors, tasks, pointers, closures. An object inside itself is `{"$cycle":"/place"}`.
  ///
  /// Such a log shows everything but cannot be replayed; use ``start(states:seed:now:)`` for that. A dangling `unowned`
  /// reference in a state ends the app, and so may an object that another thread is changing during the call.
  ///
  /// - Parameters:
  ///   - states: The states before the first step, by the names of their stores; nil for an absent state. Steps can
  ///     add stores that are not listed here.
  ///   - seed: The seed of the random numbers of all steps; random by default.
  ///   - now: The clock of the log; by default the system clock.
  public func start(
    reflecting states: [String: Any?], seed: UInt64 = .random(in: .min ... .max),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    start(seed: seed, now: now) { redactor in
      try states.sorted { $0.key < $1.key }.map { name, state in
        let state = state.flatMap(ReflectionWalk.present)
        var store = LogHeader.Store(
          name: name, type: state.map { ReflectedType.of(type(of: $0)).name },
          isFeature: state == nil)
        store.isReflected = true
        if let state, let text = try reflected.text(of: state, store: name) {
          let json = try EncodingFailure.wrapping(name) { try JSON.parse(text) }
          store.initial = try redactor.rewrite(.state(name), json)
        }
        return store
      }
    }
  }

  private func start(
    seed: UInt64, now: @escaping @Sendable () -> Date,
    stores: (Redactor) throws -> [LogHeader.Store]
  ) {
    // Before any lock: another thread of the parent may have held it.
    if process.isForked { return }
    begin(
      at: now(), clock: now, seed: seed, after: nil, next: 1,
      recordsEffects: options.recordsEffects, appSteps: AppSteps(seed: seed, clock: now),
      stores: stores)
  }

  /// Begins the log if the recorder was not started before.
  ///
  /// `step` and `next` are the numbers of the last step and of the next one; `appSteps` are those of an app without a
  /// dispatcher.
  func begin(
    at created: Date, clock: @escaping @Sendable () -> Date, seed: UInt64?, after step: UInt64?,
    next: UInt64, recordsEffects: Bool, appSteps: AppSteps? = nil,
    stores: (Redactor) throws -> [LogHeader.Store]
  ) {
    if process.isForked { return }
    let phase = lock.withLock {
      let phase = unsafe shared.phase
      unsafe shared.phase = phase == .notStarted ? .beginning : .closed
      if phase == .notStarted { unsafe shared.beginning = (step, next) }
      return phase
    }
    switch phase {
    case .notStarted: break
    case .beginning, .failed, .recording:
      let why = "it was started a second time; create a recorder for each log"
      failures.report(LogError(path: path, reason: .unusableOptions(why: why)))
      return closeLog()
    case .closed: return
    }
    let begun = failures.beginning(path: destination.path, step: next) {
      try refuseRecordingOfHost()
      return try Recording(destination, options, failures, created: created, clock: clock) {
        redactor in
        var header = LogHeader(
          created: created, seed: seed, first: next, app: options.app, options.redaction)
        header.recordsEffects = recordsEffects
        header.circumstances = try redactor.rewrite(circumstances: options.circumstances)
        header.stores = try stores(redactor)
        header.version = header.versionToWrite
        return header
      }
    }
    let notes = begun?.writer.notesActions ?? false
    isLookingAhead.store(
      notes || options.shouldSkip != nil || options.recordsDuration || intervals != nil,
      ordering: .relaxed)
    // Together: an action that is recorded while the log begins must not get a number that the log lacks.
    let isClosed = lock.withLock {
      unsafe shared.log = begun
      unsafe shared.appSteps = appSteps
      if unsafe shared.phase == .closed { return true }
      unsafe shared.phase = begun == nil ? .failed : .recording
      return false
    }
    // Meanwhile the recorder was closed or started again, and had no log to close.
    if isClosed { closeLog() }
  }

  /// Leaves the logs alone in a process that an inspector started to replay one of them.
  ///
  /// Otherwise an app that does not serve would run as usual, and rename the log that is looked at.
  private func refuseRecordingOfHost() throws(LogError) {
    guard SpawnedHost.isRequested else { return }
    throw LogError(
      path: path,
      reason: .cannotOpen(
        why: """
          an inspector started this process to replay a log, so it records nothing; the first statement of the app must \
          be ReplayHost.runIfRequested
          """))
  }

  private func closeLog() {
    do throws(LogError) {
      try end(isComplete: !failures.hasFailed) { $0.log }
    } catch {
      failures.report(error)
    }
  }
}

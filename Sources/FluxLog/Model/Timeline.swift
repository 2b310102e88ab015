public import FluxJSON
import FluxSystem

/// The model of a recorded app at any step of its log.
///
/// A position is the index of a usable step, counted from 0. The state at a position is the state
/// after that step; ``start`` is the position before the first step. Each state is rebuilt from the
/// nearest whole one and the patches after it, and only the lines that are needed are read. Moving
/// by one step costs what the step changed, and a copy of the state's text if the whole state is
/// asked for. Jumping costs the patches in between.
///
/// ```swift
/// let timeline = Timeline(try LogFile.open("todo.jsonl"))
/// let todos = try timeline.state(of: "todos", at: 41)
/// ```
///
/// Safe to use from any thread; one state is rebuilt at a time.
public final class Timeline: Sendable {
  /// The position before the first step, which has the initial states.
  public static let start = -1

  /// The log.
  public let log: LogFile

  private let cache: Monitor<TimelineCache>

  /// Makes a timeline.
  ///
  /// - Parameters:
  ///   - log: The log; its index need not be complete.
  ///   - cacheByteCount: The approximate memory for rebuilt states. 64 MB hold about fifty runs of
  ///     patches to a state of 142 KB.
  public init(_ log: LogFile, cacheByteCount: Int = 64 << 20) {
    self.log = log
    cache = Monitor(TimelineCache(limit: cacheByteCount))
  }

  /// All positions in the indexed part of the log.
  public var positions: Range<Int> { Self.start..<log.count }

  /// The position of the last step.
  public var end: Int { log.count - 1 }

  /// Returns the number of the step at a position; for ``start``, the number before the header's
  /// `first`.
  ///
  /// Returns `nil` if there is no such position. No number precedes 0: in a log that starts with
  /// step 0, ``start`` also has the number 0.
  public func number(at position: Int) -> UInt64? {
    if position == Self.start { return log.header.first > 0 ? log.header.first - 1 : 0 }
    return log.number(at: position)
  }

  /// Reads what was appended to the log; returns `true` if there was anything.
  ///
  /// - Throws: ``LogError`` if the file became shorter, or if it cannot be read.
  @discardableResult
  public func refresh() throws(LogError) -> Bool {
    guard try log.refresh() else { return false }
    // An incomplete last line may have become a line of another kind.
    cache.withLock { $0.removeAll() }
    return true
  }

  // MARK: Steps

  /// Returns the step at a position; caches the last one.
  ///
  /// - Throws: ``LogError`` as ``LogFile/step(at:)`` does.
  public func step(at position: Int) throws(LogError) -> LogStep {
    try cache.withLock { (cache) throws(LogError) in try cache.step(at: position, in: log) }
  }

  // MARK: States

  /// Returns the state of a store at a position, if it is known.
  ///
  /// - Throws: ``LogError`` if there is no such position, or if a line cannot be read.
  public func storeState(_ store: String, at position: Int) throws(LogError) -> StoreState {
    if isUnwritten(store, at: position) { return .unknown }
    return try writtenState(store, at: position)
  }

  /// Returns the last written state of a store at a position, which may be older than the position;
  /// see ``isUnwritten(_:at:)``.
  func writtenState(_ store: String, at position: Int) throws(LogError) -> StoreState {
    try withSegment(of: store, at: position) { (segment, position) throws(LogError) in
      try segment.state(of: store, at: position, in: log)
    }
  }

  /// Returns one value of a store's state at a position, without serializing the rest of the state.
  ///
  /// - Throws: ``LogError`` if there is no such position, or if a line cannot be read.
  public func value(
    _ pointer: Pointer, of store: String, at position: Int
  ) throws(LogError) -> StoreState {
    try value(SinglePlace(pointer), of: store, at: position)
  }

  func value(
    _ place: SinglePlace, of store: String, at position: Int
  ) throws(LogError) -> StoreState {
    if isUnwritten(store, at: position) { return .unknown }
    return try withSegment(of: store, at: position) { (segment, position) throws(LogError) in
      try segment.value(at: place, of: store, at: position, in: log)
    }
  }

  /// Returns the state of a store at a position; `nil` if the store is absent.
  ///
  /// - Throws: ``LogError`` that names the store if its state is unknown, and as
  ///   ``storeState(_:at:)`` does.
  public func state(of store: String, at position: Int) throws(LogError) -> JSON? {
    switch try storeState(store, at: position) {
    case .present(let json): return json
    case .absent: return nil
    case .unknown: throw unknown([store], at: position)
    }
  }

  /// Returns the states of all stores at a position.
  ///
  /// - Throws: ``LogError`` if there is no such position, or if a line cannot be read.
  public func model(at position: Int) throws(LogError) -> RecordedModel {
    let entries = try log.storeNames.map { (store) throws(LogError) in
      RecordedModel.Entry(store: store, state: try storeState(store, at: position))
    }
    return RecordedModel(position: position, entries: entries)
  }

  /// Returns the states of all stores at a position; `check` is called for each of them, and its error
  /// ends the call.
  ///
  /// - Throws: As ``model(at:)``, and any error of `check`.
  package func model(at position: Int, check: () throws -> Void) throws -> RecordedModel {
    let entries = try log.storeNames.map { store in
      try check()
      return RecordedModel.Entry(store: store, state: try storeState(store, at: position))
    }
    return RecordedModel(position: position, entries: entries)
  }

  /// Returns the reason why the store's patch at a position does not apply; `nil` if it applies, if
  /// there is none, or if the store is unknown before it.
  func patchFailure(of store: String, at position: Int) throws(LogError) -> String? {
    try withSegment(of: store, at: position) { (segment, position) throws(LogError) in
      try segment.failure(of: store, at: position, in: log)
    }
  }

  /// Returns the error for a question about states that are unknown at a position.
  package func unknown(_ stores: [String], at position: Int) -> LogError {
    LogError(
      path: log.path, reason: .unknownStates(stores, step: number(at: position) ?? 0))
  }

  /// Calls `body` with the states of a store, and the position among them: after a restoring gap, that is an
  /// earlier position.
  private func withSegment<Result>(
    of store: String, at position: Int,
    _ body: (inout StateSegment, _ position: Int) throws(LogError) -> Result
  ) throws(LogError) -> Result {
    // The log throws the right error for such a position, unless the step was indexed just now.
    if !positions.contains(position) { _ = try log.step(at: position) }
    let source = log.sourcePosition(of: position)
    return try cache.withLock { (cache) throws(LogError) in
      try cache.withSegment(of: store, at: source, in: log) { (segment) throws(LogError) in
        try body(&segment, source)
      }
    }
  }
}

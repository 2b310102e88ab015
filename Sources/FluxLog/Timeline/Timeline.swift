/// The model of a recorded app at any step of its log.
///
/// A position is that of a step in the reader, counted from 0 over the usable steps; the state at
/// a position is the one after that step, and ``start`` is the position before the first. States
/// are rebuilt from the nearest whole one and the patches after it, each store by itself, and no
/// line is read that is not needed. Moving by a step costs what the step changed, and a copy of
/// the state's text where the whole state is asked for; jumping costs the patches in between.
///
/// ```swift
/// let timeline = Timeline(try LogFile.open("todo.jsonl"))
/// let todos = try timeline.state(of: "todos", at: 41)
/// ```
///
/// Safe to use from any thread; one state is rebuilt at a time.
public final class Timeline: Sendable {
  /// The position before the first step: the initial states.
  public static let start = -1

  /// The log.
  public let log: LogFile

  private let cache: Monitor<TimelineCache>

  /// Makes a timeline.
  ///
  /// - Parameters:
  ///   - log: The log; its index need not be complete.
  ///   - cacheByteCount: About how much memory rebuilt states may take. 64 MB hold about fifty
  ///     runs of patches to a state of 142 KB.
  public init(_ log: LogFile, cacheByteCount: Int = 64 << 20) {
    self.log = log
    cache = Monitor(TimelineCache(limit: cacheByteCount))
  }

  /// All positions there are so far.
  public var positions: Range<Int> { Self.start..<log.count }

  /// The position after the last step.
  public var end: Int { log.count - 1 }

  /// The number of the step at a position; for ``start`` the one before the header's `first`.
  ///
  /// Nil where there is no such position. A log that begins with step 0 has no number before it,
  /// and 0 stands for that one as well.
  public func number(at position: Int) -> UInt64? {
    if position == Self.start { return log.header.first > 0 ? log.header.first - 1 : 0 }
    return log.number(at: position)
  }

  /// Takes in what was appended to the log; returns whether there was any.
  ///
  /// - Throws: ``LogError`` where the file became shorter, or cannot be read.
  @discardableResult
  public func refresh() throws(LogError) -> Bool {
    guard try log.refresh() else { return false }
    // The last line may have been of another kind as long as it was not whole.
    cache.withLock { $0.removeAll() }
    return true
  }

  // MARK: Steps

  /// Reads the step at a position; the last one that was read is kept.
  ///
  /// - Throws: ``LogError`` as ``LogFile/step(at:)`` does.
  public func step(at position: Int) throws(LogError) -> LogStep {
    try cache.withLock { (cache) throws(LogError) in try cache.step(at: position, in: log) }
  }

  // MARK: States

  /// What is known of a store at a position.
  ///
  /// - Throws: ``LogError`` where there is no such position, or a line cannot be read.
  public func storeState(_ store: String, at position: Int) throws(LogError) -> StoreState {
    try withSegment(of: store, at: position) { (segment) throws(LogError) in
      try segment.state(of: store, at: position, in: log)
    }
  }

  /// What is known of one value of a store's state at a position; for that the rest of the state
  /// is not put together.
  ///
  /// - Throws: ``LogError`` where there is no such position, or a line cannot be read.
  public func value(
    _ pointer: Pointer, of store: String, at position: Int
  ) throws(LogError) -> StoreState {
    try withSegment(of: store, at: position) { (segment) throws(LogError) in
      try segment.value(at: pointer, of: store, at: position, in: log)
    }
  }

  /// The state of a store at a position; nil where it is absent.
  ///
  /// - Throws: ``LogError`` that names the store where its state is not known there, and as
  ///   ``storeState(_:at:)`` does.
  public func state(of store: String, at position: Int) throws(LogError) -> JSON? {
    switch try storeState(store, at: position) {
    case .present(let json): return json
    case .absent: return nil
    case .unknown: throw unknown([store], at: position)
    }
  }

  /// The states of all stores at a position.
  ///
  /// - Throws: ``LogError`` where there is no such position, or a line cannot be read.
  public func model(at position: Int) throws(LogError) -> RecordedModel {
    var states: [RecordedModel.Entry] = []
    for store in log.storeNames {
      states.append(.init(store: store, state: try storeState(store, at: position)))
    }
    return RecordedModel(position: position, entries: states)
  }

  /// Why the patch of a store by the step at a position does not apply; nil where it does, where
  /// there is none, and where it is skipped as the store is unknown before it.
  func patchFailure(of store: String, at position: Int) throws(LogError) -> String? {
    guard try log.shape(at: position)?.kind(of: store) == .patch else { return nil }
    if try log.replacesModel(at: position) {
      return "the first step after a gap has to write the store whole"
    }
    return try withSegment(of: store, at: position) { (segment) throws(LogError) in
      try segment.failure(of: store, at: position, in: log)
    }
  }

  /// The error that says that stores are not known at a position.
  func unknown(_ stores: [String], at position: Int) -> LogError {
    LogError(
      path: log.path, reason: .unknownStates(stores, step: number(at: position) ?? 0))
  }

  private func withSegment<Result>(
    of store: String, at position: Int,
    _ body: (inout StateSegment) throws(LogError) -> Result
  ) throws(LogError) -> Result {
    guard positions.contains(position) else {
      // The reader knows how to say that.
      _ = try log.step(at: max(position, 0) == 0 ? -1 : position)
      preconditionFailure("a step was read that is not there")
    }
    return try cache.withLock { (cache) throws(LogError) in
      try cache.withSegment(of: store, at: position, in: log, body)
    }
  }
}

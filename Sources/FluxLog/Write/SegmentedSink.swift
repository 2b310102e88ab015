import FluxSystem

/// The file, or with a flight recorder the files, that lines go to.
///
/// A segment is a sound log of its own. The next one is begun and on the disk before the last one
/// is ended, and only then the oldest are deleted: what is kept never falls below what was asked.
/// The actions in flight are beside both segments meanwhile.
struct SegmentedSink {
  /// What has been done when a rotation comes to an end too early, as by a kill.
  enum RotationStep: String {
    case shared, begun, ended, deleted, moved
  }

  private struct Segment {
    let path: String
    let byteCount: Int
    let stepCount: UInt64
  }

  private var sink: LogSink
  private let names: LogFileNames
  private let retention: LogWriter.Options.Retention?
  private let onRotation: (@Sendable (RotationStep, _ path: String) -> Void)?
  private var number: Int
  private var finished: [Segment] = []

  init(path: String, header: LogHeader, options: LogWriter.Options) throws(LogError) {
    retention = options.retention
    onRotation = options.onRotation
    names = LogFileNames(path: path)
    let opening = LogOpening(names, existing: options.existing)
    let new = try options.retention == nil ? opening.open() : opening.openSegment()
    number = new.number
    sink = try LogSink(file: new.file, header: header)
    new.removeReplaced()
  }

  var path: String { sink.file.path }
  var file: OpenFile { sink.file }
  /// How many steps could be appended when the lines could not all be.
  var lastStepCount: UInt64 { sink.lastStepCount }

  /// Appends whole lines.
  mutating func append(_ lines: [UInt8]) throws(LogError) { try sink.append(lines) }

  /// Whether another segment should begin: the current one is a quarter of what is kept.
  ///
  /// Within a chain of follow-ups it goes on up to twice that, so that a segment has the whole chain and can be
  /// verified alone; a chain that is longer, or has no end, is cut.
  func isFull(stepCount: UInt64, waitingByteCount: Int, isInChain: Bool) -> Bool {
    let share = isInChain ? 2 : 1
    return switch retention {
    case nil: false
    case .bytes(let limit): sink.byteCount + waitingByteCount >= share * max(1, limit / 4)
    case .steps(let limit): stepCount >= UInt64(share * max(1, limit / 4))
    }
  }

  /// Goes on in another segment, once the lines so far have been appended.
  ///
  /// Its number is the next one that is free: recorders that share a path skip each other's segments.
  ///
  /// - Parameters:
  ///   - header: The first line of the new one.
  ///   - stepCount: How many steps the current one has.
  ///   - location: Where the log is written, which is told.
  /// - Throws: ``LogError`` where the new one cannot be made, or the current one not be ended.
  mutating func rotate(
    to header: LogHeader, stepCount: UInt64, of location: LogLocation
  ) throws(LogError) {
    let (file, number) = try nextSegment(of: location)
    let path = file.path
    let next = try LogSink(file: file, header: header)
    try next.file.synchronize()
    try next.file.synchronizeName()
    onRotation?(.begun, path)
    var lines = LineBuffer()
    LogEnd(steps: stepCount, isComplete: true, isContinued: true).write(to: &lines)
    try sink.append(lines.bytes)
    sink.file.unlock()
    onRotation?(.ended, path)
    finished.append(
      Segment(path: sink.file.path, byteCount: sink.byteCount, stepCount: stepCount))
    sink = next
    self.number = number
    deleteOldest()
    onRotation?(.deleted, path)
    location.move(to: path)
    onRotation?(.moved, path)
  }

  /// Creates the file of the next segment, with the actions in flight beside it from the start.
  private func nextSegment(of location: LogLocation) throws(LogError) -> (OpenFile, Int) {
    var number = number + 1
    while true {
      let path = names.path(.segments, number)
      location.share(with: path)
      onRotation?(.shared, path)
      if let file = try LogOpening.create(path) { return (file, number) }
      location.unshare(with: path)
      number += 1
    }
  }

  private mutating func deleteOldest() {
    while let oldest = finished.first, isEnough(finished.dropFirst()) {
      // One that somebody else has deleted is gone all the same; one that cannot be deleted is
      // not worth the end of the recording.
      unsafe unlink(oldest.path)
      finished.removeFirst()
    }
  }

  private func isEnough(_ segments: ArraySlice<Segment>) -> Bool {
    switch retention {
    case nil: false
    case .bytes(let limit): segments.reduce(0) { $0 + $1.byteCount } >= limit
    case .steps(let limit): segments.reduce(0) { $0 + Int($1.stepCount) } >= limit
    }
  }
}

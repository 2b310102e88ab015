/// The segments of a log that is only in memory.
struct MemorySink: LineSink {
  let files: RecordedFiles
  private let byteLimit: Int
  private var current = MemoryFile()
  private var headerByteCount: Int
  private var older: [MemoryFile] = []

  /// Begins a log with its header.
  ///
  /// All segments together have at most `byteLimit` bytes, unless a single step or the states need more.
  init(header: LogHeader, byteLimit: Int) {
    self.byteLimit = max(1, byteLimit)
    current = Self.begin(header)
    headerByteCount = current.byteCount
    files = RecordedFiles(.memory(current))
  }

  private static func begin(_ header: LogHeader) -> MemoryFile {
    let file = MemoryFile()
    file.append(LineBuffer.lines(header.write))
    return file
  }

  var path: String { RecordedFiles.memoryPath }
  var lastStepCount: UInt64 { 0 }

  mutating func append(_ lines: [UInt8]) { current.append(lines) }

  func synchronize() {}

  mutating func examine() {}

  func isFull(stepCount: UInt64, waitingByteCount: Int, isInChain: Bool) -> Bool {
    let share = byteLimit / 8 * (isInChain ? 2 : 1)
    return current.byteCount + waitingByteCount >= max(share, 2 * headerByteCount)
  }

  mutating func openNext() -> Bool { true }

  mutating func rotate(to header: LogHeader, stepCount: UInt64) {
    let end = LogEnd(steps: stepCount, isComplete: true, isContinued: true)
    current.append(LineBuffer.lines(end.write))
    older.append(current)
    current = Self.begin(header)
    headerByteCount = current.byteCount
    files.add(.memory(current))
    // The new segment has room for a long chain.
    while let oldest = older.first,
      older.reduce(0, { $0 + $1.byteCount }) > max(byteLimit / 4 * 3, oldest.byteCount)
    {
      older.removeFirst()
      files.removeOldest()
    }
  }

  func removeInFlight() {}

  func unlock() {}
}

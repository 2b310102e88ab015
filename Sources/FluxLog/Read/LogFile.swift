/// A log that is open for reading.
///
/// Opening it reads the header and the first lines; the index of the rest is made in the
/// background, by as many threads as there are processors. What is asked for before the index
/// is complete is answered from as far as it is; ``waitForIndex()`` waits for all of it.
///
/// The file may still be written: ``refresh()`` takes in what was appended.
///
/// ```swift
/// let log = try LogFile.open("todo.jsonl")
/// try log.waitForIndex()
/// for position in 0..<log.count {
///   let step = try log.step(at: position)
///   print(step.number, step.type)
/// }
/// ```
///
/// Safe to use from any thread.
public final class LogFile: Sendable {
  /// How a log is opened.
  public struct Options: Sendable {
    /// How many threads make the index; 0 for as many as there are processors.
    public var threads = 0
    /// Whether an index beside the log is used, and made where making it took long.
    ///
    /// For logs of 64 MB and more, whose index takes longer than a blink; where the folder cannot
    /// be written, nothing happens.
    public var usesSidecar = true
    /// How many bytes of the file a thread takes at a time.
    ///
    /// Two megabytes: large enough to hide the overhead (a few microseconds), small enough to
    /// stay in the processor's cache between read and scan.
    var pieceSize = 1 << 21
    /// How many bytes a log has at least whose index is saved without being asked for.
    var largeByteCount = 1 << 26
    /// How long a line may be, in bytes, not less than ``pieceSize``; what is longer is a finding, and is not read.
    var longestLine = JSON.maximumByteCount
    /// Called before a piece is scanned, with its number from 0 on, by the thread that scans it.
    var beforePiece: (@Sendable (Int) -> Void)?

    /// The usual options.
    public init() {}
  }

  /// Where the log is, as it was named.
  public let path: String
  /// The first line.
  public let header: LogHeader
  /// The bytes of the first line, without its newline.
  public let headerText: [UInt8]

  let file: OpenFile
  let names: LogNames
  let indexing: LogIndexing
  /// How long a line may be.
  let longestLine: Int

  private init(
    file: OpenFile, status: OpenFile.Status, first: HeaderLine, options: Options
  ) {
    path = file.path
    self.file = file
    longestLine = options.longestLine
    header = first.header
    headerText = first.text
    names = LogNames()
    var index = LogIndex(first: header.first, nextLine: 2, end: first.end)
    for finding in first.findings { index.add(finding) }
    if options.usesSidecar, first.findings.isEmpty,
      let stored = Sidecar.index(log: file, header: first.text, names: names)
    {
      index = stored
    }
    indexing = LogIndexing(
      file: file, names: names, header: first.text, index: index, status: status,
      options: options)
  }

  deinit { indexing.cancel() }

  /// Opens a log.
  ///
  /// - Parameters:
  ///   - path: The log's file.
  ///   - options: How to open it.
  /// - Returns: The log, with its first lines indexed.
  /// - Throws: ``LogError`` where the file cannot be read, does not begin with a header, or is
  ///   of a version of the format that this reader does not understand. Damage after the header
  ///   is no error; see ``findings``.
  public static func open(_ path: String, options: Options = Options()) throws(LogError) -> LogFile
  {
    let file = try OpenFile(reading: path)
    let status = try file.status()
    let first = try HeaderLine(file: file, size: status.size)
    let log = LogFile(file: file, status: status, first: first, options: options)
    try log.indexing.start()
    return log
  }

  // MARK: What there is

  /// The number of usable steps that are indexed so far.
  public var count: Int { indexing.index.count }

  /// Waits until the index is complete.
  ///
  /// - Throws: ``LogError`` where the file could not be read to its end.
  public func waitForIndex() throws(LogError) { try indexing.wait() }

  /// Whether all of the file, as it was when last looked at, is indexed.
  public var isIndexComplete: Bool { indexing.isComplete }

  /// Waits until more than `count` steps are indexed, or all of them.
  ///
  /// - Parameters:
  ///   - count: How many steps are known already; nil to wait for all.
  ///   - check: Called a hundred times a second while there is something to wait for; what it
  ///     throws ends the wait, and the index is made on.
  /// - Returns: Whether there are more than `count` now.
  /// - Throws: ``LogError`` where the file could not be read on, and what `check` throws.
  @discardableResult
  public func waitForIndex(beyond count: Int? = nil, check: () throws -> Void) throws -> Bool {
    let count = count ?? .max
    while self.count <= count, try !indexing.isIdle(afterMilliseconds: 10) { try check() }
    return self.count > count
  }

  /// How far the index has come: bytes of the file, of all that it had when last looked at.
  public var progress: (done: Int, total: Int) { indexing.progress }

  /// Stops making the index; what is indexed so far stays usable.
  public func cancelIndexing() { indexing.cancel() }

  /// What is wrong with the log, in the order of its lines, as far as it is indexed.
  ///
  /// A line with a right sum is not parsed for this, only its outline is read. A log without an
  /// `end` line has a note about that.
  public var findings: [Finding] {
    let index = indexing.index
    let checker = index.checker
    guard checker.end == nil, indexing.isComplete else { return checker.findings }
    return checker.findings + [Finding(problem: .noEnd, line: index.nextLine)]
  }

  /// The gaps, in order.
  public var gaps: [RecordedGap] { indexing.index.checker.gaps }

  /// The marks, in order.
  public var marks: [RecordedMark] { indexing.index.checker.marks }

  /// The places where the model is not led on from step to step, in order.
  public var breaks: [LogBreak] { indexing.index.checker.breaks }

  /// The last line of a log that was closed; nil where the recorder crashed or is still recording.
  public var end: LogEnd? { indexing.index.checker.end }

  /// Whether the last line was not written whole.
  public var isTorn: Bool { indexing.index.checker.isTorn }

  /// How many lines are of a kind that this reader does not know.
  public var unknownLineCount: Int { indexing.index.checker.unknownLines }

  /// Writes the index beside the log, so that it is opened at once the next time.
  ///
  /// Logs of 64 MB and more get one without being asked. Waits for the index to be complete.
  ///
  /// - Returns: Whether there is one now; a log with findings, or one that is being written, gets
  ///   none.
  /// - Throws: ``LogError`` where the log cannot be read, or the index not be written.
  @discardableResult
  public func saveIndex() throws(LogError) -> Bool {
    try indexing.wait()
    return try indexing.save()
  }

  /// Waits until the indexes that are being saved without having been asked for are saved, of all logs of this
  /// process: nobody else waits for them, and the end of the process ends the threads that save.
  ///
  /// Takes no longer than to write them; an index that is still being made is not waited for.
  public static func waitForSaves() { LogIndexing.waitForSaves() }

  // MARK: Following

  /// Takes in what was appended since, and waits for its index; returns whether there was any.
  ///
  /// ``count`` can be one less after it: a last line without its newline counts where it is a sound step, and
  /// what is appended to it can make it a line that is lost.
  ///
  /// - Throws: ``LogError`` where the file became shorter, or cannot be read.
  @discardableResult
  public func refresh() throws(LogError) -> Bool {
    try indexing.wait()
    guard try indexing.resume() else { return false }
    try indexing.wait()
    return true
  }
}

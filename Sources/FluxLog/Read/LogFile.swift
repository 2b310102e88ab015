import FluxJSON
import FluxSystem

/// A log that is open for reading.
///
/// Opening a log reads the header and the first lines. Background threads, one per processor, index
/// the rest. Until the index is complete, all properties and methods work on the indexed part;
/// ``waitForIndex()`` waits for all of it.
///
/// The log may still be recorded: ``refresh()`` reads the lines that were appended.
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
  /// Options for opening a log.
  public struct Options: Sendable {
    /// The number of threads that build the index; 0 for one per processor.
    public var threads: Int {
      get { indexing.threads }
      set { indexing.threads = newValue }
    }
    var indexing = LogIndexing.Options()

    /// Makes the default options.
    public init() {}
  }

  /// The path of the log, as the caller named it.
  public let path: String
  /// The first line.
  public let header: LogHeader
  /// The bytes of the first line, without its newline.
  public let headerText: [UInt8]

  /// The stores of the header, by name.
  public let declaredStores: StoreDictionary<LogHeader.Store>

  /// The path of the file with the bytes, for another process that reads them.
  package var storedPath: String { file.storedPath }

  /// `true` if a recorder is writing the log; see ``isBeingRecorded(_:)``.
  package var isBeingRecorded: Bool {
    !file.isInMemory && end == nil && Self.isBeingRecorded(storedPath)
  }

  /// Returns `true` if a recorder has locked the log at a path.
  ///
  /// A recorder on a file system without locks is not found, nor is one that writes a later segment.
  package static func isBeingRecorded(_ path: String) -> Bool {
    do throws(LogError) {
      return try OpenFile(reading: path).isLocked()
    } catch {
      // Nobody writes a file that is gone.
      return false
    }
  }

  let file: OpenFile
  let names: LogNames
  let indexing: LogIndexing
  let longestLine: Int
  /// The first byte after the header.
  let headerEnd: Int

  private init(
    file: OpenFile, status: FileStatus, first: HeaderLine, options: Options
  ) {
    path = file.path
    self.file = file
    longestLine = options.indexing.longestLine
    header = first.header
    headerEnd = first.end
    declaredStores = StoreDictionary(
      header.stores.lazy.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    headerText = first.text
    names = LogNames(limit: options.indexing.memory)
    var index = LogIndex(first: header.first, nextLine: 2, end: first.end)
    index.add(header: first.findings, first.sums)
    indexing = LogIndexing(
      file: file, names: names, index: index, size: status.size, options: options.indexing)
  }

  deinit { indexing.cancel() }

  /// Opens a log.
  ///
  /// - Parameters:
  ///   - path: The path of the log.
  ///   - options: Options for opening it.
  /// - Returns: The log, with its first lines indexed.
  /// - Throws: ``LogError`` if the file cannot be read, does not start with a header, or has a
  ///   format version that this reader does not support. Damage after the header is not an error;
  ///   see ``findings``.
  public static func open(_ path: String, options: Options = Options()) throws(LogError) -> LogFile
  {
    try open(try OpenFile(reading: path), options: options)
  }

  /// Opens a log that may be stored in another file than the user named.
  package static func open(_ place: LogPlace) throws(LogError) -> LogFile {
    try open(try OpenFile(reading: place), options: Options())
  }

  /// Reads the header of a log, and nothing else.
  package static func header(of place: LogPlace) throws(LogError) -> LogHeader {
    let file = try OpenFile(reading: place)
    return try HeaderLine(file: file, size: try file.status().size).header
  }

  static func open(_ file: OpenFile, options: Options) throws(LogError) -> LogFile {
    let status = try file.status()
    guard status.byteCount == Int64(status.size) else {
      throw LogError(path: file.path, reason: .system(operation: "read", code: EOVERFLOW))
    }
    let first = try HeaderLine(
      file: file, size: status.size, longestLine: options.indexing.longestLine)
    let log = LogFile(file: file, status: status, first: first, options: options)
    try log.indexing.start()
    return log
  }

  // MARK: What there is

  /// The number of usable steps that are indexed.
  public var count: Int { indexing.withIndex { $0.count } }

  /// Waits until the index is complete.
  ///
  /// - Throws: ``LogError`` if the file could not be read to its end.
  public func waitForIndex() throws(LogError) { try indexing.wait() }

  /// `true` if the whole file, as of the last look at its size, is indexed.
  public var isIndexComplete: Bool { indexing.isComplete }

  /// Waits until more than `count` steps are indexed, or all of them.
  ///
  /// - Parameters:
  ///   - count: The number of steps that the caller knows; `nil` to wait for all steps.
  ///   - check: Called a hundred times a second while waiting. An error ends the wait; indexing
  ///     continues.
  /// - Returns: `true` if more than `count` steps are indexed now.
  /// - Throws: ``LogError`` if the file could not be read, and any error of `check`.
  @discardableResult
  public func waitForIndex(beyond count: Int? = nil, check: () throws -> Void) throws -> Bool {
    let count = count ?? .max
    while self.count <= count, try !indexing.isIdle(afterMilliseconds: 10) { try check() }
    return self.count > count
  }

  /// The indexed bytes, and the size of the file as of the last look at it.
  public var progress: (done: Int, total: Int) { indexing.progress }

  /// Stops indexing; the indexed part stays usable.
  public func cancelIndexing() { indexing.cancel() }

  /// The number of steps that are missing after the last step or gap of the file, and how many its end line counts.
  ///
  /// Complete when ``isIndexComplete`` is. The number is the largest one if it is unknown.
  package var missingAtEnd: (count: UInt64, from: UInt64) {
    indexing.withIndex { ($0.checker.missingAtEnd, $0.checker.expected) }
  }

  /// The problems of the indexed part, in the order of the lines.
  ///
  /// A line with a correct sum is not parsed for this; only its outline is read. If there is no
  /// `end` line, a note says so.
  public var findings: [Finding] {
    let index = indexing.index
    let checker = index.checker
    guard checker.end == nil, indexing.isComplete else { return checker.findings }
    return checker.findings + [Finding(problem: .noEnd, line: index.nextLine)]
  }

  /// Returns the findings of the lost lines right before the step at a position.
  package func damage(before position: Int) -> [Finding] {
    // Most logs with millions of gaps have no damage, and need no line looked up.
    guard indexing.withIndex({ $0.checker.hasLostLines }) else { return [] }
    let first = ((position > 0 ? lineNumber(at: position - 1) : nil) ?? 1) + 1
    // Damage that shows by a step itself, such as a missing number, has the line of that step.
    let last = lineNumber(at: position) ?? .max
    return indexing.withIndex { $0.checker.lostLines(in: first...max(first, last)) }
  }

  /// Returns the lost lines right before the step at a position; nil if there are none.
  package func damagedLines(before position: Int) -> ClosedRange<Int>? {
    let lines = damage(before: position).map(\.line)
    guard let low = lines.first, let high = lines.last else { return nil }
    return low...max(low, high)
  }

  /// The gaps, in order.
  public var gaps: [RecordedGap] { indexing.withIndex { $0.checker.gaps } }

  /// The marks, in order.
  public var marks: [RecordedMark] { indexing.index.checker.marks }

  /// The places across which the model is not known to continue, in order.
  public var breaks: [LogBreak] { indexing.withIndex { $0.checker.breaks } }

  /// The last line of a closed log; `nil` if the recorder crashed or is still recording.
  public var end: LogEnd? { indexing.index.checker.end }

  /// `true` if the last line is incomplete.
  public var isTorn: Bool { indexing.index.checker.isTorn }

  /// The number of lines of a kind that this reader does not know.
  public var unknownLineCount: Int { indexing.index.checker.unknownLines }

  // MARK: Following

  /// Another log at the path of this one.
  package enum Replacement: Sendable {
    /// The log of an app that was started again.
    case recording
    /// A newer copy of this log.
    case file
  }

  /// Returns the kind of log that is at the path instead of this one; `nil` if there is none.
  ///
  /// An app that starts moves the file away before it writes another one, so a later call may find that.
  package func replacement() -> Replacement? {
    do throws(LogError) {
      if try LogFile.header(of: LogPlace(path)).log != header.log { return .recording }
      return try file.isAtPath() ? nil : .file
    } catch {
      return nil
    }
  }

  /// `true` if the log's file was removed, so that only those who have it open can read it.
  ///
  /// It still grows if its recorder does not look at its path; another file may be there by now.
  package var isRemoved: Bool {
    guard !file.isInMemory else { return false }
    do throws(LogError) {
      return try !file.status().isLinked
    } catch {
      return false
    }
  }

  /// Reads and indexes what was appended to the file; returns `true` if there was anything.
  ///
  /// Afterwards, ``count`` can be one less. A last line without a newline counts if it is a valid
  /// step, but can turn out to be the beginning of a damaged line.
  ///
  /// - Throws: ``LogError`` if the file became shorter, or if it cannot be read.
  @discardableResult
  public func refresh() throws(LogError) -> Bool {
    try indexing.wait()
    guard try indexing.resume() else { return false }
    try indexing.wait()
    return true
  }
}

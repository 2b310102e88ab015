package import FluxJSON
import FluxSystem

/// A complete log that is written line by line, and takes its place when it is on the disk.
///
/// If the object is released before ``commit()``, nothing at the path has changed. Must not be used by several threads
/// at once.
package final class CompleteLog {
  private let path: String
  private let old: OpenFile?
  private let file: ReplacementFile
  private var isFinished = false
  /// The end line, but for the number of steps, which is counted; `nil` leaves the log open.
  package var end: LogEnd? = LogEnd(steps: 0, isComplete: true)
  private var composer: LineComposer
  private var lines = LineBuffer()

  /// Begins a log with its header.
  ///
  /// - Parameters:
  ///   - header: The first line.
  ///   - path: The log's file. Only the user can read a new one.
  ///   - replacesExisting: `true` to replace a log, with the files next to it. A symbolic link is replaced, and not
  ///     followed.
  /// - Throws: ``LogError`` if the file cannot be created, or exists and must not be replaced, or if a recorder is
  ///   writing it.
  package init(
    _ header: LogHeader, to path: String, replacesExisting: Bool
  ) throws(LogError) {
    var header = header
    header.stores = header.stores.map(\.canonical)
    self.path = path
    let old = try Self.replaced(at: path, replacesExisting: replacesExisting)
    self.old = old
    do throws(LogError) {
      file =
        if replacesExisting {
          try ReplacementFile(for: path, permissions: old?.status().permissions ?? 0o600)
        } else {
          try ReplacementFile(new: path)
        }
    } catch {
      old?.unlock()
      throw error.naming(path)
    }
    composer = LineComposer(header, writesWholeStates: false)
    header.write(to: &lines)
  }

  deinit { old?.unlock() }

  /// The path of the new file until it takes its place.
  package var unfinishedPath: String { file.path }

  /// Opens and locks the log at the path; `nil` if there is none, or a link.
  private static func replaced(
    at path: String, replacesExisting: Bool
  ) throws(LogError) -> OpenFile? {
    guard let status = try FileStatus(at: path, followsLinks: false) else { return nil }
    guard replacesExisting else { throw LogError(path: path, reason: .exists) }
    if status.isSymbolicLink {
      try LogOpening.checkLink(at: path)
      return nil
    }
    let file = try OpenFile(reading: path, followsLinks: false)
    guard try file.lock() else { throw LogError(path: path, reason: .locked) }
    return file
  }

  package func append(_ step: consuming StepRecord) throws(LogError) {
    let number = step.number
    do throws(EncodingFailure) {
      try composer.append(step, to: &lines)
    } catch {
      throw error.ofStep(number, in: path)
    }
    try flush()
  }

  package func append(_ mark: LogMark) throws(LogError) {
    composer.append(mark, to: &lines)
    try flush()
  }

  /// Appends a gap; the next step has the number after it.
  package func append(_ gap: LogGap) throws(LogError) {
    composer.append(gap, to: &lines)
    try flush()
  }

  private func flush() throws(LogError) {
    if lines.bytes.count > 1 << 20 { try file.write(&lines) }
  }

  /// Ends the log, so that it can be read at ``unfinishedPath``.
  package func finish() throws(LogError) {
    guard !isFinished else { return }
    isFinished = true
    composer.end(end, to: &lines)
    try file.write(&lines)
  }

  /// Ends the log, and moves it to its place.
  package func commit() throws(LogError) {
    try finish()
    do throws(LogError) {
      try file.commit()
    } catch {
      throw error.naming(path)
    }
    // They belong to an earlier log at the path.
    LogOpening.removeInFlight(of: path)
    unsafe unlink(LogFileNames.indexPath(of: path))
  }
}

extension LogError {
  /// The same error, in terms of a new log at the path.
  fileprivate func naming(_ path: String) -> LogError {
    switch reason {
    case .system("open", ENOENT): LogError(path: path, reason: .noFolder)
    case .system(_, EEXIST): LogError(path: path, reason: .exists)
    default: self
    }
  }
}

// MARK: Parts of lines

extension LogLine {
  /// Reads a line from its JSON; `nil` if that is no line of this major version.
  package init?(object: JSON) {
    do throws(LineFault) {
      try self.init(object)
    } catch {
      return nil
    }
    switch self {
    case .header(let header) where header.version.major != FormatVersion.current.major: return nil
    case .gap(let gap) where !gap.isInOrder: return nil
    default: break
    }
  }
}

extension LogHeader {
  /// The header line as JSON, without a sum.
  package var object: JSON { JSON(lineWithoutSum: write) }
}

extension LogStep {
  /// The step line as JSON, without the sum.
  package var object: JSON { JSON(lineWithoutSum: write) }
}

extension LogEnd {
  /// The end line as JSON, without a sum.
  package var object: JSON { JSON(lineWithoutSum: write) }
}

extension LogGap {
  /// The gap line as JSON, without a sum.
  package var object: JSON { JSON(lineWithoutSum: write) }
}

extension JSON {
  fileprivate init(lineWithoutSum write: (inout LineBuffer) -> Void) {
    let line = LineBuffer.lines(write)
    self.init(writing: { writer in
      // The line was written here, with its sum as the last member and a newline.
      writer.raw(line.dropLast(LineSum.tailCount + 1) + [UInt8(ascii: "}")])
    })
  }
}

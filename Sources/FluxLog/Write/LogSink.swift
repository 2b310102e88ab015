import FluxSystem

/// The file that lines go to, and its end where the disk fails.
///
/// Life of a log on the disk, as others can see it: empty and locked; with its header; growing by
/// whole lines; with an end line, and unlocked. After a crash the last line may be cut off, and
/// there is no end. After a failure of the disk the file is cut back to the last whole line; where
/// there is room, an end line with `ok` false follows.
struct LogSink {
  let file: OpenFile
  /// How much of the file is whole lines.
  private(set) var byteCount = 0
  /// How many steps the lines had that were appended last, as far as they could be.
  private(set) var lastStepCount: UInt64 = 0

  /// Begins a log in a file that is empty and locked.
  ///
  /// If its header cannot be written, the file is removed: it had nothing in it, and is no log.
  init(file: OpenFile, header: LogHeader) throws(LogError) {
    self.file = file
    var lines = LineBuffer()
    header.write(to: &lines)
    do throws(LogError) {
      try append(lines.bytes)
    } catch {
      unsafe unlink(file.path)
      throw error
    }
  }

  /// Appends whole lines.
  ///
  /// After an error the file ends with the last line that was written whole.
  mutating func append(_ lines: [UInt8]) throws(LogError) {
    lastStepCount = 0
    let (written, failure) = withoutFileSizeSignal { file.append(lines) }
    guard let failure else {
      byteCount += written
      return
    }
    // A line ends with the only newline in it.
    let whole = lines[..<written].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    byteCount += whole
    lastStepCount = Self.stepCount(in: lines[..<whole])
    // Where even this fails, the torn line stays, which readers expect after a crash.
    do throws(LogError) { try file.truncate(to: byteCount) } catch { throw failure }
    throw failure
  }

  /// How many of the lines are steps: they begin with their number.
  private static func stepCount(in lines: ArraySlice<UInt8>) -> UInt64 {
    let steps = lines.split(separator: 0x0A).count { $0.starts(with: #"{"n":"#.utf8) }
    return UInt64(steps)
  }
}

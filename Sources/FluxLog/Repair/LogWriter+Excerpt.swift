import FluxJSON
import FluxSystem

extension LogWriter {
  /// Writes a part of the recording to a separate file, while the recording continues.
  ///
  /// - Parameters:
  ///   - extent: The steps.
  ///   - path: The path of the new log, where no file may exist.
  /// - Returns: The steps and the size of the new log.
  /// - Throws: ``LogError/Reason/cannotExport(why:)`` if there is nothing to export or the path cannot be
  ///   used, and other errors if a file cannot be read or written. Then there is no file at the path.
  package func export(_ extent: LogExtent, to path: String) throws(LogError) -> LogExcerpt {
    let files = try complete()
    let output: ReplacementFile
    do throws(LogError) {
      output = try ReplacementFile(new: path)
    } catch {
      switch error.reason {
      case .system(_, EEXIST):
        throw LogError(path: path, cannotExport: "a file is already there; choose another path")
      case .system(_, ENOENT):
        throw LogError(path: path, cannotExport: "its folder does not exist; create it first")
      default: throw error
      }
    }
    let excerpt = try Self.writeExcerpt(extent, of: files, self.path) { bytes throws(LogError) in
      try output.write(bytes)
    }
    try output.commit()
    return excerpt
  }

  /// Opens a part of the recording, as a log in memory.
  package func excerpt(_ extent: LogExtent) throws(LogError) -> LogFile {
    let memory = MemoryFile()
    _ = try Self.writeExcerpt(extent, of: try complete(), path) { bytes in memory.append(bytes) }
    let log = try LogFile.open(OpenFile(memory, path: path), options: LogFile.Options())
    try log.waitForIndex()
    return log
  }

  /// Waits until everything is written, and opens the files.
  private func complete() throws(LogError) -> (logs: [OpenFile], last: UInt64) {
    // A recording that has failed keeps what was written before.
    do throws(LogError) { try flush() } catch { if error.reason == .forked { throw error } }
    // Before the files are opened: these have all steps up to it.
    guard let last = files.finished else {
      if let failure { throw failure }
      let why = "no step has ended yet; dispatch an action first"
      throw LogError(path: path, cannotExport: why)
    }
    let logs = try files.opened()
    guard !logs.isEmpty else {
      if let failure { throw failure }
      throw LogError(path: path, cannotExport: "another program removed or renamed the log")
    }
    return (logs, last)
  }

  /// Writes the part of closed or growing files, oldest first, that ends with the step `last`.
  static func writeExcerpt(
    _ extent: LogExtent, of files: (logs: [OpenFile], last: UInt64), _ path: String,
    _ write: @escaping ([UInt8]) throws(LogError) -> Void
  ) throws(LogError) -> LogExcerpt {
    var timelines: [Timeline] = []
    for file in files.logs {
      let log = try LogFile.open(file, options: LogFile.Options())
      try log.waitForIndex()
      timelines.append(Timeline(log))
    }
    // The newest segment may have no step up to the last one.
    while let newest = timelines.last, newest.log.position(atOrBefore: files.last) == nil {
      timelines.removeLast()
    }
    guard let newest = timelines.last, let end = newest.log.position(atOrBefore: files.last),
      let start = try ExcerptStart(extent, in: timelines, end: end)
    else {
      let why = "no step can begin a log of its own, because each one follows up an earlier step"
      throw LogError(path: path, cannotExport: why)
    }
    let header = try timelines[start.file].header(at: start.position)
    var writer = try ExcerptWriter(header, last: files.last, write: write)
    for (index, timeline) in timelines.enumerated() where index >= start.file {
      let position = index == start.file ? start.position : Timeline.start
      let (offset, line) = timeline.log.lineStart(at: position)
      try writer.copy(timeline, from: offset, line: line)
    }
    try writer.finish()
    return LogExcerpt(
      first: header.first, last: newest.log.number(at: end) ?? files.last, steps: writer.stepCount,
      byteCount: writer.byteCount)
  }
}

extension Timeline {
  /// Returns the header of an excerpt that begins with the step at a position.
  fileprivate func header(at position: Int) throws(LogError) -> LogHeader {
    var header = log.header
    header.version = header.versionToWrite
    guard position != Self.start else { return header }
    header.first = number(at: position) ?? header.first
    for entry in try model(before: position).entries {
      let declared = header.stores.firstIndex { $0.name.hasSameBytes(as: entry.store) }
      switch (declared, entry.state) {
      case (let index?, let state): header.stores[index].initial = state.json
      // A store that was registered during the recording.
      case (nil, .present(let state)):
        header.stores.append(.init(name: entry.store, initial: state))
      case (nil, _): break
      }
    }
    return header
  }
}

extension LogFile {
  /// Returns the first byte and the number of a step's line, or of the line after the header.
  fileprivate func lineStart(at position: Int) -> (offset: Int, line: Int) {
    let line = line(at: position)
    return (line?.bytes.lowerBound ?? headerEnd, line?.number ?? 2)
  }
}

extension LogError {
  fileprivate init(path: String, cannotExport why: String) {
    self.init(path: path, reason: .cannotExport(why: why))
  }
}

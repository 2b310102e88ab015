public import FluxLog
public import Foundation

extension Recorder {
  /// Writes a part of the recording to a separate closed log, while the recording continues.
  ///
  /// ```swift
  /// try recorder.export(last: .minutes(10), to: url)
  /// ```
  /// The log begins at a step that is not a follow-up and before which every state is known. If a dispatcher is
  /// recorded, the log ends at a step whose follow-ups are all included, so it opens and verifies like any other. A
  /// `cause` before the first step moves into the member `x` of its step. A recorder in a folder exports from the
  /// segments of this launch only.
  ///
  /// Waits until everything recorded so far is written, and reads the recording from its files. Call it
  /// from a background thread if the log is large.
  ///
  /// - Parameters:
  ///   - extent: The steps; by default everything that is kept.
  ///   - url: The file, which must not exist.
  /// - Returns: The steps and the size of the new log.
  /// - Throws: `LogError` with the reason `cannotExport` if no step has ended yet or the file exists, the
  ///   error of a file, or the failure of a recording that failed before its first step. No file is left then.
  @discardableResult
  public func export(last extent: LogExtent = .all, to url: URL) throws(LogError) -> LogExcerpt {
    recordPendingChanges()
    let recording = try recording(exportedTo: url)
    guard url.isFileURL else {
      let why = "this is not a file URL; make one with URL(filePath:)"
      throw LogError(path: url.absoluteString, reason: .cannotExport(why: why))
    }
    return try recording.writer.export(extent, to: url.path)
  }

  /// Returns a copy in memory of everything that is kept, to look at its steps and states.
  ///
  /// ```swift
  /// let recorder = Recorder(inMemory: 16 << 20)
  /// dispatcher.use(recorder)
  /// // …
  /// let timeline = try recorder.timeline()
  /// let todos = try timeline.state(of: "todos", at: timeline.end)
  /// ```
  /// Ends with the last step whose follow-ups have run. Later steps are not in it: ask for another one.
  ///
  /// - Throws: `LogError` with the reason `cannotExport` if no step has ended yet, or the error of a
  ///   file.
  public func timeline() throws(LogError) -> Timeline {
    recordPendingChanges()
    return Timeline(try recording().writer.excerpt(.all))
  }
}

extension LogError {
  static func nothingRecorded(_ path: String) -> LogError {
    let why =
      "the recorder is not in use; add it to a dispatcher with use(_:), or call start(states:), first"
    return LogError(path: path, reason: .cannotExport(why: why))
  }
}

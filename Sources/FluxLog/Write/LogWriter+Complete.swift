import FluxSystem

extension LogWriter {
  /// Writes a complete log, which takes its place when it is on the disk.
  ///
  /// - Parameters:
  ///   - steps: The steps, in the order of their numbers.
  ///   - header: The first line.
  ///   - path: The log's file. Only the user can read a new one.
  ///   - replacesExisting: `true` to replace a log, with the files beside it. A symbolic link is replaced, and not
  ///     followed.
  /// - Throws: ``LogError`` if the file cannot be written, or exists and must not be replaced, or if a recorder is
  ///   writing it. Then nothing at the path has changed.
  package static func write(
    _ steps: some Sequence<StepRecord>, header: LogHeader, to path: String, replacesExisting: Bool
  ) throws(LogError) {
    let log = try CompleteLog(header, to: path, replacesExisting: replacesExisting)
    for step in steps { try log.append(step) }
    try log.commit()
  }
}

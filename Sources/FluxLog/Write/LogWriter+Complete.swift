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
    let old = try replaced(at: path, replacesExisting: replacesExisting)
    defer { old?.unlock() }
    do throws(LogError) {
      let file =
        if replacesExisting {
          try ReplacementFile(for: path, permissions: old?.status().permissions ?? 0o600)
        } else {
          try ReplacementFile(new: path)
        }
      try write(steps, header, to: file)
      try file.commit()
    } catch {
      switch error.reason {
      case .system("open", ENOENT): throw LogError(path: path, reason: .noFolder)
      case .system(_, EEXIST): throw LogError(path: path, reason: .exists)
      default: throw error
      }
    }
    // They belong to an earlier log at the path.
    for path in LogFileNames.inFlightPaths(of: path) { unsafe unlink(path) }
    unsafe unlink(LogFileNames.indexPath(of: path))
  }

  /// Opens and locks the log at the path; `nil` if there is none, or a link.
  private static func replaced(
    at path: String, replacesExisting: Bool
  ) throws(LogError) -> OpenFile? {
    guard let status = try FileStatus(at: path, followsLinks: false) else { return nil }
    guard replacesExisting else { throw LogError(path: path, reason: .exists) }
    if status.isSymbolicLink { return nil }
    let file = try OpenFile(reading: path, followsLinks: false)
    guard try file.lock() else { throw LogError(path: path, reason: .locked) }
    return file
  }

  private static func write(
    _ steps: some Sequence<StepRecord>, _ header: LogHeader, to file: ReplacementFile
  ) throws(LogError) {
    var header = header
    header.stores = header.stores.map(\.canonical)
    var composer = LineComposer(header, writesWholeStates: false)
    var lines = LineBuffer()
    header.write(to: &lines)
    for step in steps {
      do throws(EncodingFailure) {
        try composer.append(step, to: &lines)
      } catch {
        let reason = LogError.Reason.cannotEncode(
          step: step.number, store: error.store, why: error.why)
        throw LogError(path: file.destination, reason: reason)
      }
      if lines.bytes.count > 1 << 20 { try file.write(&lines) }
    }
    composer.end(isComplete: true, to: &lines)
    try file.write(&lines)
  }
}

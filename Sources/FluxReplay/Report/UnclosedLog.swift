import FluxLog

/// The ways in which a log can lack its proper end.
enum UnclosedLog {
  /// There is no end line.
  case noEnd
  /// The last line is incomplete.
  case torn
  /// The end line says that not everything was written.
  case failed

  /// Finds the way in which a log lacks its end; nil if it was closed.
  init?(_ log: LogFile) {
    if log.isTorn {
      self = .torn
    } else if let end = log.end {
      guard !end.isComplete else { return nil }
      self = .failed
    } else {
      self = .noEnd
    }
  }

  /// The note for the report.
  var note: String {
    switch self {
    case .noEnd:
      "the log was not closed: its app ended without closing it, or still records; its last steps may be "
        + "missing"
    case .torn:
      "the log was not closed: its last line is cut off, and its last steps may be missing"
    case .failed:
      "the log is incomplete: recording failed, or a repair closed it; steps may be missing"
    }
  }
}

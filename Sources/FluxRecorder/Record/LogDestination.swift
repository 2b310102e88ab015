import FluxLog
import Foundation

/// The place where a recording writes its log.
enum LogDestination: Sendable {
  case file(URL)
  /// A log for each launch, within limits for all of them.
  case launches(in: URL, name: String, [LaunchLimit])

  /// The URL that the app passed.
  var url: URL {
    switch self {
    case .file(let url), .launches(in: let url, _, _): url
    }
  }

  var path: String { url.path }

  func check() throws(LogError) {
    guard url.isFileURL else {
      let why = "this is not a file URL; make one with URL(filePath:)"
      throw LogError(path: url.absoluteString, reason: .unusableOptions(why: why))
    }
  }

  /// The folder of launches; nil if there is none.
  func folder(_ options: LogWriter.Options) -> LaunchFolder? {
    guard case .launches(let folder, let name, _) = self else { return nil }
    return LaunchFolder(path: folder.path, name: name, locking: options.locking)
  }

  /// Begins the log; returns its launch if it is one of several.
  func begin(
    _ header: LogHeader, _ options: LogWriter.Options,
    report: @escaping @Sendable (LogError) -> Void
  ) throws(LogError) -> (LogWriter, LaunchName?) {
    guard case .launches(_, _, let limits) = self, let folder = folder(options) else {
      return (try LogWriter(path: path, header: header, options: options), nil)
    }
    return try folder.begin(header, limits: limits, options: options, report: report)
  }
}

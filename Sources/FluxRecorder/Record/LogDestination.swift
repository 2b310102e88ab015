import FluxLog
import FluxSystem
import Foundation

/// The place where a recording writes its log.
enum LogDestination: Sendable {
  case file(URL)
  /// A log for each launch, within limits for all of them.
  case launches(in: URL, name: String, [LaunchLimit])
  /// The newest bytes in memory.
  case memory(Int)

  /// The URL that the app passed.
  var url: URL {
    switch self {
    case .file(let url), .launches(in: let url, _, _): url
    case .memory: Self.memory
    }
  }

  private static let memory: URL = {
    var parts = URLComponents()
    parts.scheme = "memory"
    return parts.url ?? URL(filePath: "/dev/null")
  }()

  var path: String {
    if case .memory = self { "(in memory)" } else { url.path }
  }

  /// Checks that an app can write there; the error says what to pass instead.
  ///
  /// With `startsInRoot`, apps start in `/`, and cannot write in it.
  func check(startsInRoot: Bool = appsStartInRoot) throws(LogError) {
    if case .memory = self { return }
    guard url.isFileURL else {
      let why = "this is not a file URL; make one with URL(filePath:)"
      throw LogError(path: url.absoluteString, reason: .unusableOptions(why: why))
    }
    if case .file = self, FileStatus.isFolder(at: path) {
      let why = "this is a folder; pass the URL of a file in it, or use Recorder(in:name:)"
      throw LogError(path: path, reason: .unusableOptions(why: why))
    }
    guard !startsInRoot || url.standardizedFileURL.deletingLastPathComponent().path != "/" else {
      let why = """
        an app cannot write in /, where a relative URL leads; use Recorder(in: .applicationSupport, name: "app") or a \
        URL from FileManager
        """
      throw LogError(path: path, reason: .unusableOptions(why: why))
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
    switch self {
    case .file:
      return (try LogWriter(path: path, header: header, options: options), nil)
    case .memory(let byteCount):
      return (try LogWriter(memory: byteCount, header: header, options: options), nil)
    case .launches(let url, let name, let limits):
      let folder = LaunchFolder(path: url.path, name: name, locking: options.locking)
      return try folder.begin(header, limits: limits, options: options, report: report)
    }
  }
}

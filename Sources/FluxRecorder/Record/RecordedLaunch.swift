public import FluxLog
public import Foundation

/// The log of one launch of an app, in a folder such as ``Recorder/AppFolder/applicationSupport``.
///
/// ```swift
/// for launch in try RecordedLaunch.all(in: folder, name: "todo") where !launch.isRecording {
///   print(launch.start, launch.byteCount)
/// }
/// ```
public struct RecordedLaunch: Sendable, Hashable, Identifiable {
  /// The name that all files of the launch begin with.
  public let id: String
  /// The log, or its segments in the order in which they were recorded.
  public let urls: [URL]
  /// The file of the actions in flight, if the launch is being recorded or has crashed.
  ///
  /// It belongs next to the last log. Send or copy both.
  public let inFlightURLs: [URL]
  /// The beginning of the recording, in whole seconds.
  public let start: Date
  /// The size of all files on disk, including the actions in flight.
  public let byteCount: Int
  /// `true` if the launch is being recorded, by this process or another.
  ///
  /// Without locks, that is every launch that was written within the last hour; see
  /// `LogWriter.Options.Locking`.
  public let isRecording: Bool

  private let launch: LaunchName
  private let folder: LaunchFolder

  private init(_ files: LaunchFiles, isRecording: Bool, in folder: LaunchFolder) {
    id = files.name.text
    urls = files.logs.map { URL(filePath: $0.path) }
    inFlightURLs = files.inFlight.map { URL(filePath: $0.path) }
    start = Date(files.name.start, plus: LogTime(microseconds: 0))
    byteCount = Int(clamping: files.byteCount)
    self.isRecording = isRecording
    launch = files.name
    self.folder = folder
  }

  /// Returns the launches of a folder, newest first.
  ///
  /// `locking` is the option that the recorders use. Only launches with a log are listed.
  ///
  /// - Throws: `LogError` if the folder cannot be read; a missing folder has no launches.
  public static func all(
    in folder: URL, name: String, locking: LogWriter.Options.Locking = .automatic
  ) throws(LogError) -> [RecordedLaunch] {
    try all(in: LaunchFolder(path: folder.path, name: name, locking: locking), recording: nil)
  }

  static func all(
    in folder: LaunchFolder, recording own: LaunchName?
  ) throws(LogError) -> [RecordedLaunch] {
    try folder.logs(recording: own).map { files, isRecorded in
      RecordedLaunch(files, isRecording: isRecorded, in: folder)
    }
  }

  /// Deletes the launch's files.
  ///
  /// - Throws: `LogError` with the reason `locked` if the launch is being recorded, or the error of a
  ///   file that cannot be deleted.
  public func delete() throws(LogError) { try folder.delete(launch) }
}

public import FluxLog
public import Foundation

/// The log of one launch of an app, in the folder of ``Recorder/init(in:name:options:logger:)``.
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
  private let folder: Folder

  /// The part of a folder of launches that tells two launches apart.
  private struct Folder: Hashable {
    let path: String
    let name: String
    let locking: LogWriter.Options.Locking
  }

  private init(_ files: LaunchFiles, isRecording: Bool, in folder: Folder) {
    id = files.name.text
    urls = files.logs.map { URL(filePath: $0.path) }
    start = Date(files.name.start, plus: LogTime(microseconds: 0))
    byteCount = files.byteCount
    self.isRecording = isRecording
    launch = files.name
    self.folder = folder
  }

  /// Returns the launches of a folder, newest first.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - name: The name of the app's logs.
  ///   - locking: The option that the recorders use.
  /// - Throws: `LogError` if the folder cannot be read; a missing folder has no launches.
  public static func all(
    in folder: URL, name: String, locking: LogWriter.Options.Locking = .automatic
  ) throws(LogError) -> [RecordedLaunch] {
    try all(in: LaunchFolder(path: folder.path, name: name, locking: locking), locking, nil)
  }

  static func all(
    in folder: LaunchFolder, _ locking: LogWriter.Options.Locking, _ own: LaunchName?
  ) throws(LogError) -> [RecordedLaunch] {
    let place = Folder(path: folder.path, name: folder.name, locking: locking)
    return try folder.logs(recording: own).map { files, isRecorded in
      RecordedLaunch(files, isRecording: isRecorded, in: place)
    }
  }

  /// Deletes the launch's files.
  ///
  /// - Throws: `LogError` with the reason `locked` if the launch is being recorded, or the error of a
  ///   file that cannot be deleted.
  public func delete() throws(LogError) {
    try LaunchFolder(path: folder.path, name: folder.name, locking: folder.locking).delete(launch)
  }
}

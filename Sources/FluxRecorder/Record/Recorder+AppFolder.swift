public import Foundation
public import Logging

extension Recorder {
  /// A folder of the app, which each system keeps in another place.
  public enum AppFolder: Sendable {
    /// `Library/Application Support`: kept between launches, and invisible to the user.
    case applicationSupport
    /// `Library/Caches`: the system may empty it when it needs the space.
    case caches

    /// The folder of the recordings: `BUNDLE-ID/Recordings` in the folder, because apps on a Mac and on Linux share it.
    ///
    /// An app without a bundle identifier, such as a command-line program, uses its name instead.
    public var url: URL {
      let kind: FileManager.SearchPathDirectory =
        switch self {
        case .applicationSupport: .applicationSupportDirectory
        case .caches: .cachesDirectory
        }
      let manager = FileManager.default
      let base = manager.urls(for: kind, in: .userDomainMask).first ?? manager.temporaryDirectory
      let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
      return base.appending(path: app).appending(path: "Recordings")
    }
  }

  /// Creates a recorder that records each launch of the app in a separate file, in a folder of the app.
  ///
  /// ```swift
  /// let recorder = Recorder(in: .applicationSupport, name: "todo")
  /// ```
  /// On Apple's systems the folder is excluded from backups. On iOS and the systems derived from it, its files can be
  /// written while the device is locked, once it was unlocked after its start. ``url`` is the file of this launch.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - name: The beginning of the file names. Recorders with another name ignore these files.
  ///   - options: The options of the recorder. `log.existing` has no effect.
  ///   - logger: Receives the failures.
  public convenience init(
    in folder: AppFolder, name: String, options: Options = Options(),
    logger: Logger = Logger(label: "flux.recorder")
  ) {
    self.init(in: folder.url, name: name, options: options, logger: logger)
  }
}

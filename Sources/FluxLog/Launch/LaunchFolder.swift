import FluxSystem
import Foundation

/// The folder in which every launch of an app records its own log.
///
/// Life cycle of a launch's files: the log, or its segments, begin with the launch's name, and so do
/// the files next to them: the actions in flight, the lock, an index. A crash leaves the actions in
/// flight and the lock. Whoever deletes the last log of a launch deletes these with it.
package struct LaunchFolder: Sendable, Hashable {
  package let path: String
  /// The name of the app's logs.
  package let name: String
  /// The use of locks, by which a log that is being recorded is known.
  let locking: LogWriter.Options.Locking

  /// Describes a folder, which need not exist.
  package init(
    path: String, name: String, locking: LogWriter.Options.Locking = .automatic
  ) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.name = name
    self.locking = locking
  }

  // MARK: Recording

  /// Begins the log of a launch, and deletes old logs when its header is on the disk.
  ///
  /// - Parameters:
  ///   - header: The header, whose `created` is the beginning of the launch.
  ///   - limits: The limits for all launches.
  ///   - options: The options of the log.
  ///   - report: Called on any thread with each log that could not be deleted.
  /// - Returns: The writer of the log, and the name of the launch.
  /// - Throws: ``LogError`` if the log cannot be begun; then nothing is deleted.
  package func begin(
    _ header: LogHeader, limits: [LaunchLimit], options: LogWriter.Options,
    report: @escaping @Sendable (LogError) -> Void
  ) throws(LogError) -> (writer: LogWriter, launch: LaunchName) {
    if let why = LaunchName.problem(with: name) {
      throw LogError(path: path, reason: .unusableOptions(why: why))
    }
    do {
      // A folder that was there before may be the app's, with files of its own.
      if try createFolder() { try FileProtection.apply(toFolder: path) }
    } catch let error as LogError {
      throw error
    } catch {
      let why = """
        cannot exclude the folder from backups or set its protection class: \
        \(systemMessage(error.systemCode)); do it in the app
        """
      report(LogError(path: path, reason: .launches(why: why)))
    }
    let limits = LaunchLimits(limits)
    var options = options
    limits.apply(to: &options)
    options.existing = .refuse
    options.locking = locking
    var attempts = 0
    while true {
      let launch = LaunchName(app: name, start: header.created ?? LogInstant(microseconds: 0))
      options.housekeeping = { current in
        var cleaning = LaunchCleaning(self, limits, current: current, launch: launch)
        cleaning.run()
        cleaning.problems.forEach(report)
      }
      do throws(LogError) {
        let path = "\(path)/\(launch.text).jsonl"
        return (try LogWriter(path: path, header: header, options: options), launch)
      } catch {
        // Another process has the name, or just examined its files.
        attempts += 1
        guard [.locked, .exists].contains(error.reason), attempts < 8 else { throw error }
      }
    }
  }

  /// Creates the folder, for its owner alone, if it is missing.
  ///
  /// - Returns: `true` if it was missing.
  private func createFolder() throws(LogError) -> Bool {
    try LogError.naming(path) { () throws(SystemError) in try SymbolicLink.checkFolder(path) }
    guard try FileStatus(at: path) == nil else { return false }
    do throws(SystemError) {
      try PrivateFolder.create(path)
      return true
    } catch {
      let operation = "create the folder"
      throw LogError(path: path, reason: .system(operation: operation, code: error.code))
    }
  }

  // MARK: Listing

  /// Returns the launches that have files, oldest first.
  ///
  /// - Throws: ``LogError`` if the folder cannot be read; a missing folder has no launches.
  func launches() throws(LogError) -> [LaunchFiles] {
    let files: [String]
    do {
      files = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      let code = error.systemCode
      if code == ENOENT { return [] }
      throw LogError(path: path, reason: .system(operation: "list the folder", code: code))
    }
    var launches: [LaunchName: LaunchFiles] = [:]
    for file in files {
      guard let launch = LaunchName(app: name, ofFile: file),
        // Nil if it was deleted in the meantime.
        let status = try FileStatus(at: "\(path)/\(file)")
      else { continue }
      launches[launch, default: LaunchFiles(name: launch)]
        .add(file, LaunchFiles.File(path: "\(path)/\(file)", status))
    }
    return launches.values.map(\.inOrder).sorted(by: LaunchFiles.isOlder)
  }

  /// Returns the launches that have a log, newest first, with `true` for those that are being recorded.
  ///
  /// `own` is the launch that this process is recording.
  package func logs(
    recording own: LaunchName? = nil
  ) throws(LogError) -> [(launch: LaunchFiles, isRecorded: Bool)] {
    let guardian = LaunchGuard(self)
    return try launches().reversed().filter { !$0.logs.isEmpty }.map { launch in
      (launch, launch.name == own || launch.logs.contains { guardian.isInUse($0) })
    }
  }

  /// Deletes a launch, with everything next to its logs.
  ///
  /// - Throws: ``LogError/Reason/locked`` if it is being recorded, or the error of a file that cannot
  ///   be deleted.
  package func delete(_ launch: LaunchName) throws(LogError) {
    guard let files = try launches().first(where: { $0.name == launch }) else { return }
    let guardian = LaunchGuard(self)
    if let used = files.logs.first(where: { guardian.isInUse($0) }) {
      throw LogError(path: used.path, reason: .locked)
    }
    for log in files.logs { try LogOpening.remove(log.path) }
    try guardian.removeLeftovers(of: files)
  }
}

extension Error {
  /// The number of the system's error behind an error of Foundation.
  fileprivate var systemCode: Int32 {
    guard let error = self as? CocoaError else { return EIO }
    if let system = error.underlying as? POSIXError { return system.code.rawValue }
    switch error.code {
    case .fileNoSuchFile, .fileReadNoSuchFile: return ENOENT
    case .fileReadNoPermission, .fileWriteNoPermission: return EACCES
    default: return EIO
    }
  }
}

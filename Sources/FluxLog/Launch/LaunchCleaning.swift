import FluxSystem

/// Deletes the oldest logs until all launches together are within their limits.
struct LaunchCleaning {
  private let folder: LaunchFolder
  private let limits: LaunchLimits
  /// The path of the log that this process is writing.
  private let current: String
  /// The launch of this process.
  private let own: LaunchName
  private let guardian: LaunchGuard
  /// The logs that could not be deleted.
  private(set) var problems: [LogError] = []
  private var launches: [LaunchFiles] = []
  /// The logs that are being recorded, which are not tried again.
  private var spared: Set<String> = []

  init(_ folder: LaunchFolder, _ limits: LaunchLimits, current: String, launch: LaunchName) {
    self.folder = folder
    self.limits = limits
    self.current = current
    own = launch
    guardian = LaunchGuard(folder)
  }

  mutating func run() {
    do throws(LogError) {
      launches = try folder.launches()
    } catch {
      return problems.append(LogError(unlisted: error))
    }
    if let age = limits.age { removeFiles(olderThan: age) }
    if let count = limits.count { removeLaunches(upTo: count) }
    if let byteCount = limits.targetByteCount { removeFiles(downTo: byteCount) }
    for launch in launches where launch.logs.isEmpty && launch.name != own {
      attempt { [guardian] () throws(LogError) in try guardian.removeLeftovers(of: launch) }
    }
  }

  private mutating func removeFiles(olderThan age: Int64) {
    for index in launches.indices {
      for log in launches[index].logs where guardian.isOlder(log, than: age) {
        remove(log, at: index)
      }
    }
  }

  private mutating func removeLaunches(upTo count: Int) {
    var surplus = launches.count { !$0.logs.isEmpty } - count
    for index in launches.indices where surplus > 0 {
      let launch = launches[index]
      guard !launch.logs.isEmpty, launch.name != own,
        !launch.logs.contains(where: { guardian.isInUse($0) })
      else { continue }
      for log in launch.logs { remove(log, at: index) }
      if launches[index].logs.isEmpty { surplus -= 1 }
    }
  }

  private mutating func removeFiles(downTo limit: Int) {
    var byteCount = launches.reduce(0) { $0 + $1.byteCount }
    for index in launches.indices {
      for log in launches[index].logs {
        guard byteCount > limit else { return }
        let before = launches[index].byteCount
        remove(log, at: index)
        // The remaining files of a launch without logs are deleted at the end.
        byteCount -= before - (launches[index].logs.isEmpty ? 0 : launches[index].byteCount)
      }
    }
  }

  /// Removes a log unless it is being recorded.
  private mutating func remove(_ log: LaunchFiles.File, at index: Int) {
    guard log.path != current, !spared.contains(log.path) else { return }
    // Without locks, the age of a file says nothing about the segments that this process has ended.
    guard launches[index].name == own || !guardian.isTooRecent(log) else {
      spared.insert(log.path)
      return
    }
    let isRemoved = attempt { () throws(LogError) in try LogOpening.remove(log.path) }
    if isRemoved { launches[index].remove(log) } else { spared.insert(log.path) }
  }

  /// Deletes something, and keeps the problem unless somebody began to record it.
  @discardableResult
  private mutating func attempt(_ delete: () throws(LogError) -> Void) -> Bool {
    do throws(LogError) {
      try delete()
      return true
    } catch {
      if error.reason != .locked { problems.append(LogError(undeleted: error)) }
      return false
    }
  }
}

extension LogError {
  /// Makes the warning that the launches in a folder are unknown.
  package init(unlisted error: LogError) {
    let why = """
      \(error.text); the logs of earlier launches are neither listed nor deleted; make the folder \
      readable
      """
    self.init(path: error.path, reason: .launches(why: why))
  }

  /// Makes the warning that the log of an earlier launch stays.
  fileprivate init(undeleted error: LogError) {
    let why = """
      \(error.text); this log of an earlier launch stays; delete it, or make it and its folder \
      writable
      """
    self.init(path: error.path, reason: .launches(why: why))
  }

  /// The message without the path and without the cure.
  private var text: String {
    switch reason {
    case .system(let operation, let code): "cannot \(operation): \(systemMessage(code))"
    case .notAFile: "this is a folder, a pipe or a device"
    default: message.hasPrefix("\(path): ") ? String(message.dropFirst(path.count + 2)) : message
    }
  }
}

import FluxReplay
import FluxSystem

/// A host that has described itself, and waits for its session.
///
/// `@unchecked Sendable`: threads hand it over through the lock of ``SpareHostKeeper``, and only the thread
/// that has taken it uses it.
struct SpareHost: @unchecked Sendable {
  let connection: HostConnection
  let welcome: Welcome
  /// The status of its executable at the start; nil if that was unknown.
  let file: FileStatus?
}

/// Keeps a host that has described itself for the next session.
final class SpareHostKeeper: Sendable {
  /// The limit in seconds for the exit of an unneeded host.
  private let limit: Double
  private let spare = Monitor<SpareHost?>(nil)

  init(ending limit: Double) {
    self.limit = limit
  }

  deinit { replace(with: nil)?.connection.end(within: .seconds(limit)) }

  /// Takes the host of an executable; nil if there is no usable one.
  func take(_ executable: String) -> SpareHost? {
    // A host that has exited, or of an older build, is not usable.
    guard let host = replace(with: nil), host.connection.process?.checkExit() == nil,
      host.file == FileStatus.known(at: executable)
    else { return nil }
    return host
  }

  func keep(_ host: SpareHost) {
    replace(with: host)?.connection.end(within: .seconds(limit))
  }

  private func replace(with host: SpareHost?) -> SpareHost? {
    spare.withLock { spare in
      defer { spare = host }
      return spare
    }
  }
}

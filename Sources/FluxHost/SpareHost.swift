import FluxSystem
import Synchronization

/// A host that has said what it is, and waits for its session.
///
/// `@unchecked Sendable`: it goes from thread to thread through the lock of ``SpareHostKeeper``, and whoever has
/// taken it out is the only one that has it.
struct SpareHost: @unchecked Sendable {
  let connection: HostConnection
  let welcome: Welcome
  /// The executable that it was started from.
  let file: FileStatus?

  /// Examines an executable; nil if that is not possible.
  static func status(of executable: String) -> FileStatus? {
    do throws(SystemError) {
      return try FileStatus(path: executable)
    } catch {
      // Starting it says why.
      return nil
    }
  }
}

/// Keeps a host that was asked what the app is, for the session that comes next.
final class SpareHostKeeper: Sendable {
  /// How many seconds one that is not needed may take to end.
  private let limit: Double
  private let spare = Mutex<SpareHost?>(nil)

  init(ending limit: Double) {
    self.limit = limit
  }

  deinit { replace(with: nil)?.connection.end(within: .seconds(limit)) }

  /// Takes out the host of an executable; nil where there is none that is of use.
  func take(_ executable: String) -> SpareHost? {
    // One that has died in the meantime, or is of an older build, is of none.
    guard let host = replace(with: nil), host.connection.process.checkExit() == nil,
      host.file == SpareHost.status(of: executable)
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

import FluxJSON
import FluxReplay

/// A connection to an app that serves the part `replay`, whose failures are those of a replay.
///
/// One thread at a time uses it. A spawned host is stopped if it fails; a running app continues.
final class HostConnection {
  /// The process of the host; nil for a running app, which tells of each step before it begins.
  let process: HostProcess?
  /// The bytes of the last result.
  private(set) var lastByteCount = 0
  /// The name of the app in failures.
  let name: String
  private let connection: AppConnection
  /// The running app, which stays attached as long as this.
  private let attached: LiveConnection?

  /// Makes the connection of a host, which `name` names in failures.
  init(
    _ process: HostProcess, name: String, messageByteCount: Int,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    (self.process, attached, self.name) = (process, nil, name)
    connection = AppConnection(
      process, messageByteCount: messageByteCount, isCancelled: isCancelled)
  }

  /// Makes the connection of one session to a running app.
  init(_ app: LiveConnection) {
    (process, attached, connection, name) = (nil, app, app.link, app.name)
  }

  /// Sends a request, and waits for the result; see ``AppConnection``.
  ///
  /// - Throws: `ReplayFailure` if there is none. The host has been stopped, unless it answered with the failure.
  func ask(
    _ method: AppProtocol.Method, limit: Double?, steps: Int = 0,
    onProgress: (RequestProgress) -> Bool = { _ in true }, params: some Encodable
  ) throws(ReplayFailure) -> JSON {
    let id = connection.nextID
    let wasOver = connection.ending == .ended
    do throws(AppConnection.Failure) {
      let answer = try connection.ask(
        method, params, limit: limit, steps: steps, onProgress: onProgress)
      lastByteCount = answer.byteCount
      return answer.result
    } catch .refused(let error) {
      var failure = ReplayFailure(error, asked: method)
      failure.app = name
      throw failure
    } catch .ended {
      // An app that was quit before has run nothing of this.
      if process == nil, wasOver {
        throw failure(
          .cannotStart(
            why: "it has ended; attach to it again, or replay in another process with --app PATH"))
      }
      throw ending()
    } catch .timedOut {
      let seconds = limit ?? 0
      throw failure(process == nil ? .unresponsive(seconds: seconds) : .timedOut(seconds: seconds))
    } catch .cancelled {
      throw failure(.cancelled)
    } catch {
      let answer = "an answer to request \(id), \(method.rawValue)"
      let (found, expected): (String, String?) =
        switch error {
        case .malformed(let found, let problem, let expected):
          (found, expected ?? problem.map { "\(answer): \($0)" })
        case .unrelated(let error): ("an error with the id null: \(error.message)", nil)
        default: ("\(error)", nil)
        }
      throw failure(.protocolViolation(found: found, expected: expected ?? answer))
    }
  }

  /// Returns the failure of a host that has exited or closed its output.
  private func ending() -> ReplayFailure {
    guard let process else {
      var failure = failure(.exited(.unknown))
      failure.note =
        "it ran this in its own process; 'flux-inspect attach --app PATH' replays in another one"
      return failure
    }
    guard let exit = process.waitForExit(AppConnection.grace) else {
      return failure(
        .protocolViolation(
          found: "the end of its standard output while it is still running", expected: "an answer"
        ))
    }
    return failure(.exited(exit))
  }

  /// Stops the host, and returns the failure.
  func failure(_ reason: ReplayFailure.Reason) -> ReplayFailure {
    process?.stop()
    var failure = ReplayFailure(reason, app: name)
    if reason != .cancelled { failure.lastWords = process?.lastWords ?? [] }
    return failure
  }

  /// Ends a session in a running app, or else the host.
  func end(_ session: UInt64? = nil, within limit: Duration) {
    guard let process else {
      if connection.ending == nil { connection.post(.end, ["session": session ?? 0]) }
      return
    }
    guard process.checkExit() == nil else { return }
    // If the pipe is full, the end of the input has the same effect.
    connection.post(.shutdown, [:] as JSON)
    process.closeInput()
    process.waitForExit(limit)
    process.stop()
  }
}

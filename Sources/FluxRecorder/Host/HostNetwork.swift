import FluxReplay
import FluxSystem
import Logging

/// The connections of a host over TCP, which its code asks for, or else the environment.
final class HostNetwork: Sendable {
  private let dialer: InspectorDialer?
  private let door: NetworkDoor?
  /// The requested connections that are not possible, with the reasons.
  let problems: [String]

  /// Begins to connect to an inspector that listens, and to listen on a port of this machine.
  init(
    _ inspector: String?, _ port: UInt16?, _ token: String?, _ environment: [String: String],
    _ loop: ServerLoop, _ logger: Logger
  ) {
    let name = AppProtocol.inspectorVariable
    let address = inspector ?? environment[name]
    guard address != nil || port != nil else {
      (dialer, door, problems) = (nil, nil, [])
      return
    }
    let (access, problem) = Self.access(token ?? environment[AppProtocol.tokenVariable])
    var problems = [problem].compactMap(\.self)
    guard let access else {
      (dialer, door, self.problems) = (nil, nil, problems)
      return
    }
    var dialer: InspectorDialer?
    if let inspector = address.flatMap({ NetworkAddress($0) }) {
      do throws(SystemError) {
        let begun = InspectorDialer(inspector, access, loop, logger)
        try begun.start()
        dialer = begun
      } catch {
        problems.append(error.text(about: "the inspector at \(inspector)"))
      }
    } else if let address {
      problems.append("\(name) is \(address), and has to be HOST:PORT")
    }
    var door: NetworkDoor?
    if let port {
      do throws(SystemError) {
        let opened = try NetworkDoor(NetworkAddress(port: port), .app, access) {
          loop.admit($0, $1)
        }
        try opened.open()
        door = opened
      } catch {
        problems.append(error.text(about: "port \(port)"))
      }
    }
    (self.dialer, self.door, self.problems) = (dialer, door, problems)
  }

  /// Returns the token of the inspector, or the reason why none can be used.
  private static func access(_ token: String?) -> (AccessToken?, problem: String?) {
    guard let token = token.map(AccessToken.init) else {
      let name = AppProtocol.tokenVariable
      return (nil, "\(name) is not set; flux-inspect attach --listen prints it")
    }
    do throws(Handshake.Failure) {
      _ = try Handshake(.app, token)
      return (token, nil)
    } catch {
      return (nil, "\(error), which flux-inspect attach --listen prints")
    }
  }

  /// `true` if an inspector may reach the host this way.
  var serves: Bool { dialer != nil || door != nil }

  var port: UInt16? { door?.address.port }

  /// Ends the connections' threads; the loop ends the connections.
  func stop() {
    dialer?.stop()
    door?.close()
  }
}

/// Connects a host to an inspector that listens, and again when that connection has ended.
///
/// While nobody answers, its thread sleeps between two attempts: one second at first, and up to ten.
final class InspectorDialer: Sendable {
  private struct State {
    var isStopped = false
    var isConnected = false
  }

  private static let longestPause = 10_000

  private let address: NetworkAddress
  private let token: AccessToken
  private let loop: ServerLoop
  private let logger: Logger
  private let state = Monitor(State())

  init(_ address: NetworkAddress, _ token: AccessToken, _ loop: ServerLoop, _ logger: Logger) {
    (self.address, self.token, self.loop, self.logger) = (address, token, loop, logger)
  }

  func start() throws(SystemError) {
    try startThread(named: "flux.connect", quality: .utility) { [self] in run() }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    state.signal()
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func run() {
    var pause = 1000
    // The same reason is logged once.
    var reason: Handshake.Failure?
    while !isStopped {
      do {
        let stream = try Descriptor.connecting(to: address)
        let codes = try Handshake(.app, token).perform(on: stream) { isStopped }
        reason = nil
        let begin = ContinuousClock.now
        state.withLock { $0.isConnected = true }
        loop.admit(stream, codes) { [state] in
          state.withLock { $0.isConnected = false }
          state.signal()
        }
        state.waitUntil({ !$0.isConnected || $0.isStopped }) { _ in }
        // An inspector that has no use for the app ends the connection soon.
        if ContinuousClock.now - begin > .milliseconds(Self.longestPause) { pause = 1000 }
      } catch let failure as Handshake.Failure {
        if failure != reason, !isStopped {
          logger.notice("cannot attach to the inspector at \(address): \(failure)")
        }
        reason = failure
      } catch {
        // Nobody listens there, or the network is down: usual for an app that runs without an inspector.
      }
      state.waitUntil(milliseconds: pause, { $0.isStopped }) { _ in }
      pause = min(2 * pause, Self.longestPause)
    }
  }
}

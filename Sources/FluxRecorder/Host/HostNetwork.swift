import FluxReplay
import FluxSystem
import Foundation
import Logging

/// The connections over TCP that a host is asked for: by its code, or else by the environment.
struct NetworkSettings {
  /// The address of an inspector that listens.
  var inspector: NetworkAddress?
  /// The port of this machine to listen on.
  var port: UInt16?
  var token: AccessToken?
  /// The requested connections that are not possible, with the reasons.
  var problems: [String] = []

  init(
    _ inspector: String?, _ port: UInt16?, _ token: String?, _ environment: [String: String]
  ) {
    let name = AppProtocol.inspectorVariable
    let address = inspector ?? environment[name]
    guard address != nil || port != nil else { return }
    guard let token = token ?? environment[AppProtocol.tokenVariable] else {
      problems.append(
        "\(AppProtocol.tokenVariable) is not set; flux-inspect attach --listen prints it")
      return
    }
    self.token = AccessToken(token)
    do throws(Handshake.Failure) {
      _ = try Handshake(.app, AccessToken(token))
    } catch {
      problems.append("\(error), which flux-inspect attach --listen prints")
      return
    }
    self.port = port
    self.inspector = address.flatMap { NetworkAddress($0) }
    if let address, self.inspector == nil {
      problems.append("\(name) is \(address), and has to be HOST:PORT")
    }
  }
}

/// The connections of a host over TCP.
final class HostNetwork: Sendable {
  private let dialer: InspectorDialer?
  private let door: NetworkDoor?
  /// The requested connections that are not possible, with the reasons.
  let problems: [String]

  /// Begins to connect and to listen, as the settings say.
  init(_ settings: NetworkSettings, _ loop: ServerLoop, _ logger: Logger) {
    var problems = settings.problems
    var door: NetworkDoor?
    if let port = settings.port, let token = settings.token {
      do throws(SystemError) {
        let opened = try NetworkDoor(NetworkAddress(port: port), .app, token) {
          loop.admit($0, $1)
        }
        opened.open()
        door = opened
      } catch {
        problems.append(error.text(about: "port \(port)"))
      }
    }
    dialer = settings.token.flatMap { token in
      settings.inspector.map { InspectorDialer($0, token, loop, logger) }
    }
    (self.door, self.problems) = (door, problems)
    dialer?.start()
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

  func start() {
    let thread = Thread { [self] in run() }
    thread.name = "flux.connect"
    thread.qualityOfService = .utility
    thread.start()
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

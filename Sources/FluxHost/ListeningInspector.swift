package import FluxReplay
package import FluxSystem
import Foundation

/// Apps that connect to this inspector over TCP.
///
/// The first one, or the next after ``next(isCancelled:)``, gets a session. If its process connects again, that session goes
/// on over the new connection. Other apps wait.
package final class ListeningInspector: Sendable {
  private struct State {
    /// The app of the session, which keeps this inspector.
    weak var current: LiveConnection?
    /// The apps that have connected since, the oldest first.
    var waiting: [LiveConnection] = []
    /// `true` once no further app gets a session.
    var isClosed = false
    /// The reasons why connections were refused, each once.
    var refusals: [Handshake.Failure] = []
  }

  package var address: NetworkAddress { door.address }
  private let door: NetworkDoor
  private let state: Monitor<State>

  /// Begins to listen; port 0 lets the system choose one.
  ///
  /// `isCancelled` is called a few times a second while an app is asked for something; `true` interrupts that.
  package init(
    _ address: NetworkAddress, _ token: AccessToken,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(SystemError) {
    let state = Monitor(State())
    door = try NetworkDoor(address, .inspector, token) { stream, codes in
      do throws(LiveFailure) {
        let app = try LiveConnection.begin(stream, codes, .tcp, isCancelled: isCancelled)
        Self.add(app, to: state)
      } catch {
        // An app that does not describe itself connects again, as one whose connection broke does.
      }
    } refuse: { failure in
      state.withLock { if !$0.refusals.contains(failure) { $0.refusals.append(failure) } }
    }
    self.state = state
    try door.open()
  }

  deinit { door.close() }

  private static func add(_ app: LiveConnection, to state: Monitor<State>) {
    let goOn = state.withLock { state -> (() -> Void)? in
      if let current = state.current, current.isSame(as: app) {
        return current.replaceWire(by: app)
      }
      if !state.isClosed {
        state.waiting.removeAll { $0.isSame(as: app) || $0.ending != nil }
        state.waiting.append(app)
      }
      return nil
    }
    state.signal()
    // This thread is the connection's own, so it can wait for the app.
    goOn?()
  }

  /// Waits for an app, which then has the session; nil if the wait was cancelled.
  ///
  /// `isCancelled` is called a few times a second; `true` ends the wait. `refused` is called once with each reason why
  /// other connections were refused.
  package func next(
    isCancelled: () -> Bool, refused: (Handshake.Failure) throws -> Void
  ) rethrows -> LiveConnection? {
    var toldCount = 0
    while !isCancelled() {
      let refusals = state.withLock { $0.refusals }
      for failure in refusals[toldCount...] { try refused(failure) }
      toldCount = refusals.count
      let app = state.waitUntil(milliseconds: 50, { !$0.waiting.isEmpty }) { state in
        guard !state.waiting.isEmpty else { return nil as LiveConnection? }
        let app = state.waiting.removeFirst()
        state.current = app
        return app
      }
      if let app, app.ending == nil {
        app.keep(self)
        return app
      }
    }
    return nil
  }

  /// Ends the session of an app whose connection is lost: if it connects again, it waits as another app does.
  package func forget(_ app: LiveConnection) {
    state.withLock { if $0.current === app { $0.current = nil } }
  }

  /// The app that has connected and has no session yet.
  package var waiting: LiveConnection? {
    state.withLock { state in state.waiting.first { $0.ending == nil } }
  }

  /// `true` if no further app gets a session.
  package var isClosedToOthers: Bool { state.withLock { $0.isClosed } }

  /// Accepts no further app; one with a session may still connect again.
  package func closeToOthers() {
    state.withLock { state in
      state.isClosed = true
      state.waiting = []
    }
  }
}

extension LiveConnection {
  /// Connects to an app that listens on a port, of this machine or of a device whose port is forwarded.
  ///
  /// The app needs the token, too. `isCancelled` is called a few times a second; `true` interrupts a request.
  package static func connect(
    to address: NetworkAddress, _ token: AccessToken,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(LiveFailure) -> LiveConnection {
    let stream: Descriptor
    let codes: MessageCodes
    do {
      stream = try Descriptor.connecting(to: address)
      codes = try Handshake(.inspector, token).perform(on: stream, isCancelled: isCancelled)
    } catch let failure as Handshake.Failure {
      throw isCancelled() ? .cancelled : .refused("cannot attach to \(address): \(failure)")
    } catch let error as SystemError {
      throw .refused(error.text(about: "\(address)"))
    } catch {
      throw .refused("cannot connect to \(address): \(error)")
    }
    return try begin(stream, codes, .tcp, isCancelled: isCancelled)
  }
}

import FluxSystem
public import Observation

/// The state in which attached inspectors have brought a running app, for a view that tells its user.
///
/// Views observe it like an `@Observable` object:
/// ```swift outside
/// if host.presentation.isPresenting {
///   Text(host.presentation.summary)
/// }
/// ```
/// It changes on the main actor, shortly after the inspector's request.
@MainActor
public final class AppPresentation: Observable {
  struct Values: Equatable, Sendable {
    var isPresenting = false
    var step: UInt64?
    var ignoresUser = false
    var clients: [String] = []
  }

  private let registrar = ObservationRegistrar()
  private var shown = Values()
  /// The values that the host's thread has set last.
  nonisolated private let newest = Monitor(Values())

  nonisolated init() {}

  private var current: Values {
    registrar.access(self, keyPath: \.current)
    return shown
  }

  /// `true` if an inspector shows a recorded step in the app's views, or has paused the app.
  public var isPresenting: Bool { current.isPresenting }

  /// The step whose states the views show; nil if they show the newest states.
  public var step: UInt64? { current.step }

  /// `true` if the app ignores actions that its user starts: `dispatch` returns `.ignored`.
  ///
  /// The actions of effects still run.
  public var ignoresUser: Bool { current.ignoresUser }

  /// The names of the attached inspectors, in the order in which they have attached.
  public var clients: [String] { current.clients }

  /// One line for a badge, such as `flux-inspect shows step 12; your actions are ignored`; empty if no inspector is attached.
  public var summary: String {
    let values = current
    let name = values.clients.first ?? "an inspector"
    guard values.isPresenting else {
      return values.clients.isEmpty ? "" : "\(name) is attached"
    }
    let shows = values.step.map { "\(name) shows step \($0)" }
    guard values.ignoresUser else { return shows ?? "\(name) shows the app" }
    return "\(shows ?? "\(name) has paused the app"); your actions are ignored"
  }

  /// Takes the values that the views are to show from now on; called on the host's thread.
  nonisolated func update(_ values: Values) {
    let isNew = newest.withLock { newest in
      defer { newest = values }
      return newest != values
    }
    guard isNew else { return }
    // Each task reads the newest values, so the order in which tasks run does not matter.
    Task { @MainActor in showNewest() }
  }

  private func showNewest() {
    let values = newest.withLock { $0 }
    guard values != shown else { return }
    registrar.withMutation(of: self, keyPath: \.current) { shown = values }
  }
}

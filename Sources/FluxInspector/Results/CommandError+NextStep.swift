extension CommandError {
  /// An action to take after an error of the session.
  ///
  /// The session does not know how a front end lets its users do it: ``command`` has the words of a prompt, and the page has
  /// its own.
  public enum NextStep: Sendable, Equatable {
    /// Open a session with a running app.
    case attach
    /// Let the running app run.
    case resume
    /// Open the log with its app.
    case openWithApp
    /// Compare the recording with what the app does.
    case verify
    /// Make a fork.
    case fork
    /// Go to one of the forks.
    case chooseFork
    /// Go from a fork back to the recording.
    case leaveFork
    /// Dispatch an action to a fork.
    case dispatch
    /// Go from the start to the first step.
    case goToFirstStep
    /// Go to a later step.
    case goForward
    /// Go to a step behind damaged lines.
    case goPastDamage
    /// Go to a step at which a state is known again, after a later one or before; `places` names the nearest ones.
    ///
    /// If the recorder left out the state, or an import did not have it, an app can rebuild it too.
    case goToKnownState(isWrittenWhole: Bool, places: String?)
    /// Dispatch the actions of the log again, for a state that the recorder left out, or that an import did not have; the
    /// session has the app. `places` names the nearest steps at which it is known.
    case redispatch(places: String)
    /// List the steps that a step caused.
    case listEffects
    /// List the stop points.
    case listStopPoints
    /// List the displays.
    case listDisplays
    /// Check rules.
    case checkRules

    /// The words for somebody at a prompt.
    public var command: String {
      switch self {
      case .attach: "'flux-inspect attach' opens a session with a running app"
      case .resume: "'resume' lets it run"
      case .openWithApp:
        "start with --app PATH, the executable of an app that serves its stores, or a replay host for Redux or "
          + "another language; or use an inspector that the app ships itself"
      case .verify: "'verify' shows the details"
      case .fork: "'fork' makes one here"
      case .chooseFork: "'forks' lists them, 'switch N' goes to one"
      case .leaveFork: "'switch 0' goes back to the recording"
      case .dispatch: "'dispatch' makes one"
      case .goToFirstStep: "'step' goes to it"
      case .goForward: "go to a later step with 'step'"
      case .goPastDamage: "go to a step after it with 'goto'"
      case .goToKnownState(_, let places?): "\(places); with --app, a replay rebuilds it"
      case .redispatch(let places): "\(places); 'redispatch ..' computes it on a fork"
      case .goToKnownState(let isWrittenWhole, nil):
        "it is known again when it is next written\(isWrittenWhole ? " whole" : ""): try 'step', or go back"
      case .listEffects: "'effects' lists the steps that it caused"
      case .listStopPoints: "'breakpoints' lists them"
      case .listDisplays: "'display' lists them"
      case .checkRules: "'rules FILE' checks the log against a file of rules"
      }
    }
  }
}

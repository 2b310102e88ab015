extension CommandError {
  /// An action to take after an error or a remark of the session.
  ///
  /// Each front end words it, because only the front end knows how its users do it.
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
    /// session has the app. `places` names the nearest steps at which it is known, if that matters.
    case redispatch(places: String?)
    /// List the steps that a step caused.
    case listEffects
    /// List the actions that were in flight when the app ended.
    case listActionsInFlight
    /// List the stop points.
    case listStopPoints
    /// List the displays.
    case listDisplays
    /// Check rules.
    case checkRules
    /// Replace the file that exists.
    case overwrite
    /// Do only what reads the log, because no app can replay it.
    case onlyRead
    /// Go to a step by its number.
    case goToStep(UInt64)
    /// Stop at the steps that change a value.
    case watch(String)
    /// Go back to a fork that the session has left.
    case returnToFork(Int)
    /// Search for the steps that were rejected, instead of for the text.
    case findRejections
    /// List the steps that were rejected.
    case listRejections
    /// Read a member of the step's action, which is no part of the state.
    case readAction(String)
    /// Read a member of the step, which is no part of the state.
    case readStep(String)
  }
}

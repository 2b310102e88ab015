extension Dispatcher {
  /// The treatment of actions while an old model is presented.
  public enum PresentingMode: Sendable {
    /// Actions run, and views show the result after the presentation.
    case dispatching
    /// Actions without a cause are ignored: they get the outcome ``Outcome/Result/ignored``, no step and no line
    /// in a log. Effects and their actions continue.
    case ignoring
  }

  /// Shows another model, for example one of the past, in the views.
  ///
  /// Only views see it: ``Observed``, and observers with an owner on the main actor. Reads, reducers, middleware
  /// and all other observers keep the newest states. Nothing is recorded. Present another model to move on.
  /// ``LiveHistory`` moves through the past in this way.
  ///
  /// - Parameters:
  ///   - model: The model, from this dispatcher or from one with the same stores.
  ///   - mode: The treatment of actions until ``endPresenting()``.
  /// - Throws: ``RestoreError`` if the model does not fit the dispatcher's stores.
  public func present(
    _ model: Model, whilePresenting mode: PresentingMode = .dispatching
  ) throws(RestoreError) {
    try engine.check(model)
    engine.setPresented(model, ignoresActions: mode == .ignoring)
  }

  /// Shows the newest states in the views again; does nothing if no model is presented.
  public func endPresenting() {
    engine.setPresented(nil, ignoresActions: false)
  }
}

extension Engine {
  fileprivate func setPresented(_ model: Model?, ignoresActions: Bool) {
    presentation.present(model, ignoresActions: ignoresActions) { followPresentation() }
  }

  /// Begins or ends to ignore actions, as the presentation wants.
  func followPresentation() {
    perform { engine in
      // Read in the turn, because the turns of two threads need not come in the order of their calls.
      let ignoresActions = engine.presentation.isIgnoringActions
      engine.turn.value.ignoresActions = ignoresActions
      // Meanwhile, the openings and closings of queries were ignored too.
      if !ignoresActions { engine.resetQueries() }
    }
  }
}

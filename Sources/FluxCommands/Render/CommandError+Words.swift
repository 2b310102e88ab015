public import FluxInspector

// The session says what to do next as a value; here are the words for somebody at a prompt.
extension CommandError {
  /// The explanation of the error, or the next thing to do, in the words of a prompt and on one line.
  public var advice: String? { note.map(\.line) }

  /// The members that programs read: `{"code","message","hint"?}`.
  package struct Members: Encodable {
    private let code: String
    private let message: String
    private let hint: String?

    package init(_ error: CommandError) {
      (code, message, hint) = (error.code.rawValue, error.message, error.advice)
    }
  }
}

extension Note {
  /// The remark and the next thing to do, in the words of a prompt and on one line.
  public var line: String { text(wording: \.command) }
}

extension CommandError.NextStep {
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
    case .returnToFork(let number): "'switch \(number)' goes back to it"
    case .dispatch: "'dispatch' makes one"
    case .goToFirstStep: "'step' goes to it"
    case .goForward: "go to a later step with 'step'"
    case .goToStep(let number): "'goto \(number)' goes to that step"
    case .goPastDamage: "go to a step after it with 'goto'"
    case .goToKnownState(_, let places?): "\(places); with --app, a replay rebuilds it"
    case .goToKnownState(let isWrittenWhole, nil):
      "a state is known again when its store is next written\(isWrittenWhole ? " whole" : ""): try 'step', or go back"
    case .redispatch(let places?): "\(places); 'redispatch ..' computes it on a fork"
    case .redispatch(nil): "'redispatch ..' computes the states on a fork"
    case .onlyRead: "everything that only reads the log works: step, find, diff, blame, history"
    case .overwrite: "--force overwrites it"
    case .watch(let value): "to stop where the value changes: watch \(value)"
    case .findRejections: "for the steps that were rejected: find $.rejected"
    case .listRejections: "'find $.rejected' lists the steps that were"
    case .readAction(let member): "the action of the step is $.action: print $.action.\(member)"
    case .readStep(let member): "it is a part of the step: print $.\(member)"
    case .listEffects: "'effects' lists the steps that it caused"
    case .listActionsInFlight: "'info' lists them"
    case .listStopPoints: "'breakpoints' lists them"
    case .listDisplays: "'display' lists them"
    case .checkRules: "'rules FILE' checks the log against a file of rules"
    }
  }
}

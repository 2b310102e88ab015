import FluxCommands
import FluxInspector

extension Note {
  /// The remark and the next thing to do, in the words of the page.
  var words: String { text(wording: \.words) }
}

extension CommandError.NextStep {
  /// The words for somebody at the page, who has buttons, and a console with the commands of the prompt.
  var words: String {
    switch self {
    case .attach: "Start flux-inspect serve with --attach to use a running app."
    case .openWithApp: "Start flux-inspect serve with --app to replay the recording."
    case .resume: "Resume the app."
    case .verify: "Verify the recording to see the details."
    case .fork: "Make a fork at this step."
    case .chooseFork: "Choose a fork."
    case .leaveFork: "Go back to the recording."
    case .dispatch: "Dispatch an action."
    case .goToFirstStep, .goForward: "Go to a later step."
    case .goPastDamage: "Go to a step after the damaged lines."
    case .goToKnownState(_, let places?):
      "\(places.sentence) With an app, a replay rebuilds the others."
    case .redispatch(let places?):
      "\(places.sentence) A fork of the whole recording computes the others."
    case .redispatch(nil): "a fork of the whole recording computes the states"
    case .onlyRead: "The page shows everything the log contains, but cannot replay it."
    case .goToStep(let number): "step \(number) is at #/\(number)"
    case .goToKnownState:
      "A state is known again when its store is next written: go forward or back."
    case .listEffects: "See the steps that it caused in the Action tab."
    case .listActionsInFlight: "See the rows after the last step."
    case .returnToFork(let number): "Choose fork \(number) to go back to it."
    case .findRejections, .listRejections: "Filter by $.rejected to see the steps that were."
    case .readAction, .readStep: "See the step's Action tab."
    case .listStopPoints, .listDisplays, .checkRules, .watch, .overwrite:
      "In the console, \(command)."
    }
  }
}

extension String {
  /// The text with a capital letter and a full stop.
  fileprivate var sentence: String { "\(prefix(1).uppercased())\(dropFirst())." }
}

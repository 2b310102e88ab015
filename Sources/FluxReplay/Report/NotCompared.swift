import FluxLog

/// A part of a recording that verify could not compare, and the reason.
///
/// ``ReplayReport/redacted`` lists the places of redacted values; here is their number.
enum NotCompared {
  /// Steps that a middleware had rejected.
  case intercepted(steps: Int)
  /// Steps of an imported session that Redux DevTools skipped, or whose reducers threw.
  case imported(steps: Int)
  /// Redacted values that differ from those of the replay.
  case redacted(values: Int)
  /// Steps that needed the value of a secret that the log does not have.
  case secrets(of: [UInt64])
  /// Stores that the app dropped.
  case droppedStores([String])
  /// Circumstances with redacted values.
  case circumstances([String])
  /// Steps that need an action or a store that the app dropped.
  case dropped(steps: Int)
  /// A store whose type does not accept a redacted value of its state.
  case unfitStore(String, place: String)
  /// Steps with a redacted value that the type of the action does not accept, with its place in the payload.
  case redactedActions([(step: UInt64, place: String)])
  /// Steps that a store that is not compared rejected on one side only.
  case undecided(steps: Int)
  /// Follow-ups that a store that is not compared may have asked for.
  case skippedFollowUps(Int)
  /// Effects of stores that are not compared.
  case skippedEffects(Int)
  /// States that the recorder left out because it was behind.
  case unwritten(states: Int)
  /// Messages of rejections that may have been worded with redacted values.
  case messages(Int)
  /// Messages of rejections that the app does not tell.
  case untoldMessages(Int)
  /// Effects that the app does not tell.
  case untoldEffects(Int)
  /// Follow-ups that the app does not tell.
  case untoldFollowUps(Int)
  /// Steps whose causes were not replayed.
  case causes(Int)
  /// The effects from which steps came back.
  case effects(steps: Int)
  /// Places at which the app does not begin in the same state twice.
  case unstableStart(places: [String])
  /// Steps that are not in the log, and those after them up to `resumption`; nil if nothing after them is replayed.
  case gap(LogGap, resumption: UInt64?, steps: Int)
  /// The last steps' follow-ups, which come after the end of the log.
  case followUps(of: [UInt64], isContinued: Bool)

  /// The part and the reason, for ``ReplayReport/notes``.
  var note: String {
    switch self {
    case .intercepted(let count):
      "\(count) \(count == 1 ? "step" : "steps") not compared: a middleware had rejected "
        + "\(count == 1 ? "it" : "them"), and replay runs no middleware"
    case .imported(let count):
      "\(count) \(count == 1 ? "step" : "steps") not compared: in Redux DevTools, the user skipped "
        + "\(count == 1 ? "it" : "them"), or a reducer threw an error"
    case .redacted(let count):
      "\(count) redacted \(count == 1 ? "value" : "values") not compared, apart from being there"
    case .secrets(let steps):
      "\(steps.count) \(steps.count == 1 ? "step" : "steps") not compared: "
        + "\(steps.count == 1 ? "it needs" : "they need") the value of a secret that the log does not have: "
        + "\(steps.count == 1 ? "step" : "steps") \(steps.prefix(10).map(String.init).joined(separator: ", "))"
        + (steps.count > 10 ? " and \(steps.count - 10) more" : "")
    case .droppedStores(let stores):
      "\(stores.count == 1 ? "store" : "stores") not compared, because the app dropped "
        + "\(stores.count == 1 ? "it" : "them"): \(stores.joined(separator: ", "))"
    case .circumstances(let names):
      "\(names.count) \(names.count == 1 ? "circumstance" : "circumstances") not compared, because of redacted "
        + "values: \(names.joined(separator: ", "))"
    case .dropped(let count):
      "\(count) \(count == 1 ? "step" : "steps") not compared: the app dropped the "
        + "\(count == 1 ? "action" : "actions"), or the store that \(count == 1 ? "it needs" : "they need")"
    case .unfitStore(let store, let place):
      "store \(store) not compared: the value at \(place) is redacted, and its type accepts no substitute; "
        + "stores that read its state may differ for that reason"
    case .redactedActions(let steps):
      "\(steps.count) \(steps.count == 1 ? "step" : "steps") not compared: the \(steps.count == 1 ? "action has" : "actions have") "
        + "a redacted value whose type accepts no substitute: "
        + steps.prefix(10).map {
          "\($0.place.isEmpty ? "the payload" : $0.place) of step \($0.step)"
        }.joined(separator: ", ")
        + (steps.count > 10 ? " and \(steps.count - 10) more" : "")
    case .undecided(let count):
      "\(count) \(count == 1 ? "step" : "steps") not compared: a store that is not compared rejected "
        + "\(count == 1 ? "it" : "them") in the recording or in the replay"
    case .skippedFollowUps(let count):
      "\(count) \(count == 1 ? "follow-up" : "follow-ups") not compared: a store that is not compared may have "
        + "dispatched \(count == 1 ? "it" : "them")"
    case .skippedEffects(let count):
      "\(count) \(count == 1 ? "effect" : "effects") not compared: \(count == 1 ? "its store is" : "their stores are") "
        + "not compared"
    case .unwritten(let count):
      "\(count) \(count == 1 ? "state" : "states") not compared: the recorder was behind and did not write "
        + "\(count == 1 ? "it" : "them"); replay goes on from its own, and compares the next one that is written"
    case .messages(let count):
      "\(count) \(count == 1 ? "message" : "messages") not compared: the action or the state has redacted "
        + "values, from which a reducer may word its message"
    case .untoldMessages(let count):
      "\(count) \(count == 1 ? "message" : "messages") not compared: the app does not tell messages"
    case .untoldEffects(let count):
      "\(count) \(count == 1 ? "effect" : "effects") not compared: the app does not tell effects"
    case .untoldFollowUps(let count):
      "\(count) \(count == 1 ? "follow-up" : "follow-ups") not compared: the app does not tell follow-ups"
    case .causes(let count):
      "\(count) \(count == 1 ? "cause" : "causes") not compared: "
        + "\(count == 1 ? "it is a step that was" : "they are steps that were") not replayed"
    case .effects(let count):
      "\(count) \(count == 1 ? "step" : "steps") came back from effects, which do not run in replay: their "
        + "policies, delays and results were not compared"
    case .unstableStart(let places):
      "\(places.count) \(places.count == 1 ? "place" : "places") of the initial states not compared, because two "
        + "fresh starts differ there: \(places.joined(separator: ", "))"
    case .gap(let gap, let resumption, let count):
      (gap.isEmpty
        ? "the model before step \(gap.from) is not in the log (\(gap.why)); "
        : "steps \(gap.from) to \(gap.through) are not in the log (\(gap.why)); ")
        + "\(count) \(count == 1 ? "step" : "steps") after them not compared, "
        + (resumption.map { "replay resumes after step \($0)" }
          ?? "nothing after them is replayed")
    case .followUps(let steps, let isContinued):
      "the log ends before the follow-ups of step \(steps.map(String.init).joined(separator: ", "))"
        + (isContinued ? ": the recording continues in the next segment" : "")
    }
  }
}

/// The parts of the compared steps that were not compared, counted.
struct NotComparedCounts {
  /// Steps that did not run because a middleware had rejected them.
  var interceptedSteps = 0
  /// Steps of an imported session that did not run, because Redux DevTools had rejected them.
  var importedSteps = 0
  /// Redacted values that differ from those of the replay.
  var redactedValues = 0
  /// Steps that needed the value of a secret that the log does not have.
  var secretSteps: [UInt64] = []
  /// Steps that need an action or a store that the app dropped.
  var droppedSteps = 0
  /// Steps whose actions have a redacted value that their types do not accept, with its place in the payload.
  var redactedActions: [(step: UInt64, place: String)] = []
  /// Steps that a store that is not compared rejected on one side only.
  var undecidedSteps = 0
  /// Follow-ups that a store that is not compared may have dispatched.
  var skippedFollowUps = 0
  /// Effects of stores that are not compared.
  var skippedEffects = 0
  /// States that are not written.
  var unwrittenStates = 0
  /// Messages that differ, and may have been worded with redacted values.
  var messages = 0

  /// Messages that the app does not tell.
  var untoldMessages = 0
  /// Effects that the app does not tell.
  var untoldEffects = 0
  /// Follow-ups that the app does not tell.
  var untoldFollowUps = 0
  /// Causes that were not replayed, counted by the steps that have them.
  var causes = 0
  /// Steps that came back from effects.
  var effectSteps = 0

  static func += (left: inout Self, right: Self) {
    left.interceptedSteps += right.interceptedSteps
    left.importedSteps += right.importedSteps
    left.redactedValues += right.redactedValues
    left.secretSteps += right.secretSteps
    left.droppedSteps += right.droppedSteps
    left.redactedActions += right.redactedActions
    left.undecidedSteps += right.undecidedSteps
    left.skippedFollowUps += right.skippedFollowUps
    left.skippedEffects += right.skippedEffects
    left.unwrittenStates += right.unwrittenStates
    left.messages += right.messages
    left.untoldMessages += right.untoldMessages
    left.untoldEffects += right.untoldEffects
    left.untoldFollowUps += right.untoldFollowUps
    left.causes += right.causes
    left.effectSteps += right.effectSteps
  }

  /// The parts, with their counts; empty if everything was compared.
  var parts: [NotCompared] {
    var parts: [NotCompared] = []
    if interceptedSteps > 0 { parts.append(.intercepted(steps: interceptedSteps)) }
    if importedSteps > 0 { parts.append(.imported(steps: importedSteps)) }
    if redactedValues > 0 { parts.append(.redacted(values: redactedValues)) }
    if !secretSteps.isEmpty { parts.append(.secrets(of: secretSteps)) }
    if droppedSteps > 0 { parts.append(.dropped(steps: droppedSteps)) }
    if !redactedActions.isEmpty { parts.append(.redactedActions(redactedActions)) }
    if undecidedSteps > 0 { parts.append(.undecided(steps: undecidedSteps)) }
    if skippedFollowUps > 0 { parts.append(.skippedFollowUps(skippedFollowUps)) }
    if skippedEffects > 0 { parts.append(.skippedEffects(skippedEffects)) }
    if unwrittenStates > 0 { parts.append(.unwritten(states: unwrittenStates)) }
    if messages > 0 { parts.append(.messages(messages)) }
    if untoldMessages > 0 { parts.append(.untoldMessages(untoldMessages)) }
    if untoldEffects > 0 { parts.append(.untoldEffects(untoldEffects)) }
    if untoldFollowUps > 0 { parts.append(.untoldFollowUps(untoldFollowUps)) }
    if causes > 0 { parts.append(.causes(causes)) }
    if effectSteps > 0 { parts.append(.effects(steps: effectSteps)) }
    return parts
  }
}

/// The ways in which a log can lack its proper end.
enum UnclosedLog {
  /// There is no end line.
  case noEnd
  /// The last line is incomplete.
  case torn
  /// The end line says that not everything was written.
  case failed

  /// Finds the way in which a log lacks its end; nil if it was closed.
  init?(_ log: LogFile) {
    if log.isTorn {
      self = .torn
    } else if let end = log.end {
      guard !end.isComplete else { return nil }
      self = .failed
    } else {
      self = .noEnd
    }
  }

  /// The note for the report.
  var note: String {
    switch self {
    case .noEnd:
      "the log was not closed: its app ended without closing it, or still records; its last steps may be "
        + "missing"
    case .torn:
      "the log was not closed: its last line is cut off, and its last steps may be missing"
    case .failed:
      "the log is incomplete: recording failed, or a repair closed it; steps may be missing"
    }
  }
}

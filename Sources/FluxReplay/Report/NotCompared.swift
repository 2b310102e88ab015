/// A part of a recording that verify could not compare, and the reason.
///
/// The cases are in the order of their notes, which say what each means. ``ReplayReport/redacted`` lists the places of redacted
/// values; here is their number.
enum NotCompared: CaseIterable {
  case droppedStores, circumstances, ignoredStart, initialStates, unstableStart
  case intercepted, imported
  case redacted, secrets, surplusSecrets
  case dropped, redactedActions, redactedInputs, untestedInputs, undecided
  case lostPayloads
  /// Values of states from which the replay begins, and whose stores no step changes.
  case lostStates
  case skippedFollowUps, skippedEffects, rejectedRequests
  case unwritten
  /// Steps after one that was not compared, up to the next whose recorded states are all known.
  case unknownStart
  case importedStates
  case ignoredMessages, messages, untoldMessages
  case untoldEffects, untoldCancels, unlistedEffects, untoldFollowUps
  case causes
  case followUpsAtEnd, followUpsInSegment
  /// Steps whose follow-ups would come in a gap, or in damaged lines.
  case followUpsInGap
  case observers, effects

  /// The note for ``ReplayReport/notes``; `places` name some of the parts, if the kind has them.
  func note(_ count: Int, _ places: [String]) -> String {
    let list = Self.list(places, of: count)
    func one(_ singular: String, _ plural: String) -> String { count == 1 ? singular : plural }
    let steps = "\(count) \(one("step", "steps")) not compared"
    return switch self {
    case .droppedStores:
      "\(one("store", "stores")) not compared, because the app dropped \(one("it", "them")): \(list)"
    case .circumstances:
      "\(count) \(one("circumstance", "circumstances")) not compared, because of redacted values: \(list)"
    case .ignoredStart: "\(count) initial \(one("state", "states")) ignored"
    case .initialStates:
      "\(count) initial \(one("state", "states")) not compared: the log does not contain \(one("it", "them")): \(list)"
    case .unstableStart:
      "\(count) \(one("place", "places")) of the initial states not compared, because two fresh starts differ "
        + "there: \(list)"
    case .intercepted:
      "\(steps): a middleware had rejected \(one("it", "them")), and replay runs no middleware"
    case .imported:
      "\(steps): in Redux DevTools, the user skipped \(one("it", "them")), or a reducer threw an error"
    case .redacted:
      "\(count) redacted \(one("value", "values")) not compared, except for \(one("its", "their")) presence"
    case .secrets:
      "\(steps): \(one("it needs", "they need")) the value of a secret that the log does not have: "
        + "\(one("step", "steps")) \(list)"
    case .surplusSecrets:
      "\(count) \(one("secret", "secrets")) not compared: the app no longer draws \(one("it", "them")): \(list)"
    case .dropped:
      "\(steps): the app dropped the \(one("action", "actions")), or the store that \(one("it needs", "they need"))"
    case .redactedActions:
      "\(steps): the \(one("action has", "actions have")) a redacted value whose type accepts no substitute: \(list)"
    case .redactedInputs:
      "\(steps) (redacted value): \(one("its outcome depends", "their outcomes depend")) on a value that the log does "
        + "not have: \(list)"
    case .untestedInputs:
      "\(steps) (redacted value): \(one("its outcome differs", "their outcomes differ")) and may depend on a value that "
        + "the log does not have, which a running app cannot test: \(list); compare with 'verify --app'"
    case .undecided:
      "\(steps): a store that is not compared rejected \(one("it", "them")) in the recording or in the replay"
    case .lostPayloads:
      "\(count) \(one("value", "values")) of payloads not compared, because the app's actions drop "
        + "\(one("it", "them")): \(list)"
    case .lostStates:
      "\(count) \(one("value", "values")) of recorded states not compared, because the app's types drop or change "
        + "\(one("it", "them")): \(list)"
    case .skippedFollowUps:
      "\(count) \(one("follow-up", "follow-ups")) not compared: a store that is not compared may have dispatched "
        + "\(one("it", "them"))"
    case .skippedEffects:
      "\(count) \(one("effect", "effects")) not compared: \(one("its store is", "their stores are")) not compared"
    case .rejectedRequests:
      "\(count) \(one("follow-up or effect", "follow-ups and effects")) not compared: the app answers "
        + "\(one("it", "them")) for steps that it rejects: \(list)"
    case .unwritten:
      "\(count) \(one("state", "states")) not compared: the recorder was behind and did not write "
        + "\(one("it", "them")); replay continues from its own state, and compares the next one that is written"
    case .unknownStart:
      "\(steps): the log does not contain all states before \(one("it", "them")), and the replay could not rebuild them"
    case .importedStates:
      "\(count) \(one("state", "states")) not compared: the file that was imported did not have "
        + "\(one("it", "them")); replay continues from its own state"
    case .ignoredMessages: "\(count) \(one("message", "messages")) ignored"
    case .messages:
      "\(count) \(one("message", "messages")) not compared: the action or the state has redacted values, from which "
        + "a reducer may word its message"
    case .untoldMessages:
      "\(count) \(one("message", "messages")) not compared: the app does not report messages"
    case .untoldEffects:
      "\(count) \(one("effect", "effects")) not compared: the app does not report effects"
    case .untoldCancels:
      "\(count) cancelled \(one("effect", "effects")) not compared: the app does not report cancelled effects"
    case .unlistedEffects:
      "\(count) \(one("effect", "effects")) not compared: the log does not list the effects of its steps"
    case .untoldFollowUps:
      "\(count) \(one("follow-up", "follow-ups")) not compared: the app does not report follow-ups"
    case .causes:
      "\(count) \(one("cause", "causes")) not compared: \(one("it is a step that was", "they are steps that were")) "
        + "not replayed"
    case .followUpsAtEnd: "the log ends before the follow-ups of step \(list)"
    case .followUpsInSegment:
      "the log ends before the follow-ups of step \(list): the recording continues in the next segment"
    case .followUpsInGap:
      "the follow-ups of \(count) \(one("step", "steps")) not compared: the log has a gap before them: step \(list)"
    case .observers:
      "\(count) \(one("step was", "steps were")) dispatched by observers or middleware, which do not run in replay"
    case .effects:
      "\(count) \(one("step was", "steps were")) dispatched by effects, which do not run in replay: the effects' policies, "
        + "delays and results were not compared"
    }
  }

  static let mostPlaces = 10

  private static func list(_ places: [String], of count: Int) -> String {
    places.joined(separator: ", ")
      + (count > places.count ? " and \(count - places.count) more" : "")
  }
}

/// The parts of a recording that were not compared, counted.
struct NotComparedCounts {
  private var found: [NotCompared: (count: Int, places: [String])] = [:]

  /// Counts parts without places.
  mutating func add(_ kind: NotCompared, count: Int = 1) {
    if count > 0 { found[kind, default: (0, [])].count += count }
  }

  /// Counts a part with its place, which the note names if there are few.
  mutating func add(_ kind: NotCompared, at place: String) {
    add(kind)
    if let places = found[kind]?.places, places.count < NotCompared.mostPlaces {
      found[kind]?.places.append(place)
    }
  }

  static func += (left: inout Self, right: Self) {
    left.found.merge(right.found) { left, right in
      (left.count + right.count, Array((left.places + right.places).prefix(NotCompared.mostPlaces)))
    }
  }

  /// The notes, one for each kind; empty if everything was compared.
  var notes: [String] {
    NotCompared.allCases.compactMap { kind in
      found[kind].map { kind.note($0.count, $0.places) }
    }
  }
}

import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem

extension Command {
  static let dispatch = Command(
    "dispatch", group: .replay, synopsis: "dispatch [--to STORE] JSON",
    summary: "Dispatch an action on the fork or in the app",
    help: """
      JSON is an action in the form used in logs: an object with a type, and usually a payload. It is dispatched on the \
      current fork, or on a new fork that starts here. Shows the resulting steps, including those of its \
      follow-ups (actions that reducers ask for), and their changes.

      An action that the app cannot decode is an error, and changes nothing.

      At the newest step of a running app, the action is dispatched in that app instead; 'fork' makes a fork there.
      """,
    examples: [
      #"dispatch {"type":"todo/add","payload":{"title":"milk"}}"#,
      #"dispatch --to search {"type":"search/open"}"#,
    ],
    options: [
      CommandOption("--to", value: "STORE", "Address it to this store alone", completion: .store)
    ],
    arguments: .raw
  ) { arguments, console in
    let action = try arguments.action(
      arguments.text, like: console.session.exampleAction)
    if console.session.isLive {
      return .live(
        try console.session.dispatchLive(action, to: arguments.value(of: "--to")))
    }
    let result: Dispatched
    do {
      result = try console.session.dispatch(action, to: arguments.value(of: "--to"))
    } catch let failure as ReplayFailure {
      guard case .undecodable = failure.reason, let type = action["type"]?.string,
        let question = console.session.log.suggestion(for: Glob(type))
      else { throw failure }
      throw CommandError(.badAction, lines: failure.description, note: Note(question))
    }
    return Reply(result) { result, text in
      try text.line("fork \(result.fork)", .heading)
      for step in result.steps { try text.step(step) }
      try text.entries(result.readable)
    }
  }

  static let redispatch = Command(
    "redispatch", group: .replay,
    synopsis: "redispatch RANGE [--skip N,…] [--replace N=JSON] [--keep-orphans]",
    summary: "Repeat steps on a fork, skipping or replacing some",
    help: """
      A new fork starts before RANGE, and the actions of RANGE are dispatched there: without the skipped ones, \
      and with replacements. Follow-ups are actions that other steps ask for; those steps dispatch them again, so \
      you cannot skip or replace them, and those right after RANGE belong to it. Each step draws the random \
      numbers that it drew in the recording, so ids stay the same. Then the fork is compared with the recording, \
      as by compare. If the app went back to another model before a step, RANGE can start with that step, and \
      cannot contain it otherwise.

      A step dispatched by an effect or an observer is an orphan if its cause was left out, was rejected, or \
      did not start the effect on the fork. The steps it caused are orphans too. Orphans would not have \
      happened, so they are left out. --keep-orphans dispatches and marks them.
      """,
    examples: [
      "redispatch 5..20 --skip 7", "redispatch 3..end --skip 7,9..12",
      #"redispatch .. --replace 4={"type":"todo/clear"}"#,
    ],
    options: [
      CommandOption("--skip", value: "N,…", "Leave these steps out; ranges too: 7,9..12"),
      CommandOption(
        "--replace", value: "N=JSON", "Another action for step N; can be repeated", isRaw: true),
      CommandOption("--keep-orphans", "Dispatch steps whose causes did not happen, too"),
      CommandOption("--drop-orphans", "Leave such steps out", isFormer: true),
    ],
    arguments: .words(1), completions: [.range]
  ) { arguments, console in
    // Without an app, nothing else about the command matters.
    _ = try console.session.app()
    let word = try arguments.word("a range", hint: PositionRange.forms)
    let range = try arguments.range(word)
    let positions = try console.session.resolve(range)
    guard !positions.isEmpty else {
      let reasons = console.session.notes(onEmpty: positions).map(\.line)
      throw arguments.usage(
        "\(word) has no steps",
        hint: reasons.isEmpty ? nil : reasons.joined(separator: "; "))
    }
    let result = try console.session.redispatch(
      range, skipping: try arguments.skippedSteps(in: console.session),
      replacing: try arguments.replacements(), droppingOrphans: !arguments.has("--keep-orphans"))
    return Reply(result) { result, text in
      try text.orphans(of: result)
      for step in result.steps { try text.step(step) }
      try text.comparison(result.difference)
    }
  }
}

extension TextOutput {
  /// Writes a step of a fork: `5 todo/toggle {"id":2} +3s  todos  repeats 6`.
  mutating func step(_ step: ForkStepSummary) throws {
    var remarks: [(text: String, role: TextRole)] = []
    if let repeats = step.repeats, repeats != step.number {
      remarks.append(("  repeats \(repeats)", .dim))
    }
    if step.isOrphan == true { remarks.append(("  orphan", .changed)) }
    if let effects = step.effects {
      remarks.append(("  effects that do not run: \(effects.joined(separator: ", "))", .dim))
    }
    try self.step(
      step.number, step.type, step.payload, at: step.t,
      Self.outcome(StepSummary.stores(step.changed), step.rejected), cause: step.cause,
      remarks: remarks)
  }

  /// Writes how many steps had no cause on the fork.
  fileprivate mutating func orphans(of result: Redispatched) throws {
    let dropped = result.droppedOrphans
    if !dropped.isEmpty {
      let numbers = dropped.map(String.init).joined(separator: ", ")
      let pronoun = dropped.count == 1 ? "it" : "them"
      try line(
        "\(dropped.count.counted("orphan")) left out: \(numbers); --keep-orphans keeps \(pronoun)",
        .dim)
    }
    let marked = (result.orphans?.count ?? 0) - dropped.count
    guard marked > 0 else { return }
    let subject =
      marked == 1 ? "1 step is an orphan: its cause" : "\(marked) steps are orphans: their causes"
    try line("\(subject) did not happen on the fork", .dim)
  }
}

extension CommandArguments {
  fileprivate func skippedSteps(in session: Session) throws -> Set<UInt64> {
    var numbers: Set<UInt64> = []
    for part in values(of: "--skip").flatMap({ $0.split(separator: ",") }) {
      for position in try session.resolve(try range(String(part))) {
        if let number = session.number(at: position).value { numbers.insert(number) }
      }
    }
    return numbers
  }

  fileprivate func replacements() throws(CommandError) -> [UInt64: JSON] {
    var actions: [UInt64: JSON] = [:]
    for text in values(of: "--replace") {
      let parts = text.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let number = UInt64(parts[0]) else {
        throw usage("expected N=JSON after --replace, found \(text)")
      }
      guard actions.updateValue(try action(String(parts[1])), forKey: number) == nil else {
        throw usage("step \(number) is replaced twice")
      }
    }
    return actions
  }
}

import FluxLog
import FluxReplay

/// The command `redispatch RANGE`.
struct RedispatchCommand: Command {
  let name = "redispatch"
  let group = CommandGroup.replay
  let synopsis = "redispatch RANGE [--skip N,…] [--replace N=JSON]"
  let summary = "dispatch steps again on a branch, some changed"
  let help = """
    A fork begins before RANGE, and the actions of RANGE are dispatched there, without those that are \
    skipped, and with others in the place of those that are replaced. Follow-ups are made anew by \
    the steps that ask for them, so they are neither skipped nor replaced. Then the fork is compared \
    with the recording, as by compare.
    """
  let examples = [
    "redispatch 5..20 --skip 7", "redispatch 3..end --skip 7,9..12",
    #"redispatch .. --replace 4={"type":"todo/clear"}"#,
  ]
  let options = [
    CommandOption("--skip", value: "N,…", "leave these steps out; ranges too: 7,9..12"),
    CommandOption(
      "--replace", value: "N=JSON", "another action for step N; may be given several times",
      isRaw: true),
  ]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.range]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let app = try session.app()
    guard let word = arguments.words.first else {
      throw arguments.usage("a range is missing", hint: RangeText.forms)
    }
    let range = try session.resolve(try arguments.range(word))
    guard !range.isEmpty else { throw arguments.usage("\(word) has no steps") }
    let branch = session.branches.add(
      try Branch.redispatching(
        range, of: session.timeline, in: app,
        skipping: try arguments.skippedSteps(in: &session),
        replacing: try arguments.replacements(), timeout: session.replayTimeout))
    let number = branch.number
    return try branch.use { branch in
      RedispatchAnswer(
        steps: branch.steps,
        comparison: BranchComparisonAnswer(fork: number, comparison: try branch.compare()))
    }
  }
}

extension CommandArguments {
  /// The numbers of the steps that are left out.
  fileprivate func skippedSteps(in session: inout Session) throws -> Set<UInt64> {
    var numbers: Set<UInt64> = []
    for part in values(of: "--skip").flatMap({ $0.split(separator: ",") }) {
      for position in try session.resolve(try range(String(part))) {
        if let number = session.stepNumber(at: position) { numbers.insert(number) }
      }
    }
    return numbers
  }

  /// The actions that stand in the place of recorded ones, by the numbers of the steps.
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

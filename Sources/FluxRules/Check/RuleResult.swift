import FluxJSON
public import FluxLog

/// The result of checking one rule in one recording.
public struct RuleResult: Sendable, Equatable {
  /// A step of a chain of causes.
  public struct Link: Sendable, Equatable, Encodable {
    private enum CodingKeys: String, CodingKey {
      case number = "n"
      case type
    }

    /// The number of the step.
    public let number: UInt64
    /// The type of its action.
    public let type: String
  }

  /// The path of the recording; of the first segment, if it has several.
  public let log: String
  /// The rule.
  public let rule: Rule
  /// The verdict.
  public internal(set) var verdict: RuleVerdict
  /// The number of times that the rule was triggered.
  ///
  /// For `leads to` and `precedes`, the events of the rule in its scopes; for `never increases` and `never decreases`, the
  /// scopes with a number; for other patterns, the scopes.
  public let triggers: Int
  /// The number of the step that violates the rule, or to which something is still owed; `nil` if there is none.
  ///
  /// The initial states have the number before the first step, which is -1 before a step 0.
  public let step: Int64?
  /// The segment that has the step.
  public internal(set) var segment: String
  /// `true` if that is not the first segment of the recording.
  var isInLaterSegment = false
  /// The line of the step in its segment, counted from 1.
  public internal(set) var line: Int?
  /// The step and its causes, up to the root action or to the thousandth step; empty for the initial states.
  public internal(set) var chain: [Link] = []
  /// `true` if the chain has more causes than are listed.
  public internal(set) var isChainCut = false
  /// The reason why the step or an earlier one of the chain was read for the verdict but not for the chain; `nil` if
  /// everything was read.
  ///
  /// Without the step, the line is `nil` and the chain is empty.
  public internal(set) var unreadable: LogError?
  /// The stores that the rule reads and no checked recording has, probably because they are misspelled.
  ///
  /// A rule is skipped where a store is absent, so it holds there.
  public internal(set) var missingStores: [MissingStore] = []

  /// The paths of the rule that select nothing where it is violated, and are similar to one that does.
  ///
  /// They are probably misspelled; a comparison with nothing is false, and violates most rules.
  public internal(set) var missingPaths: [MissingPath] = []

  /// A path that selects nothing.
  public struct MissingPath: Sendable, Equatable {
    /// The path in the rule, as far as it leads to something or is missing.
    public let path: String
    /// The path that was probably meant.
    public let suggestion: String
  }

  /// A store that no recording has.
  public struct MissingStore: Sendable, Equatable {
    /// The name in the rule.
    public let name: String
    /// The store that was probably meant; `nil` if no name is similar.
    public let suggestion: String?
  }

  /// The commands of the inspector that show the violation.
  public var next: [String] {
    guard step != nil else { return [] }
    guard let number else { return ["goto start", "state"] }
    return ["goto \(number)", "diff"] + (chain.count > 1 ? ["where"] : [])
  }

  /// The number of the step to go to; `nil` for the initial states.
  var number: UInt64? {
    chain.first?.number ?? (unreadable == nil ? nil : step.flatMap(UInt64.init(exactly:)))
  }
}

extension RuleResult: Encodable {
  private enum CodingKeys: CodingKey {
    case log, rule, verdict, triggers, step, segment, chain, chainCut, unreadable, missingStores,
      missingPaths, next
  }

  /// Encodes the result:
  /// `{"log","rule","verdict","triggers","step"?,"segment"?,"chain":[{"n","type"}],"chainCut"?,"unreadable"?,`
  /// `"missingStores"?:[name],"missingPaths"?:[path],"next":[command]}`.
  ///
  /// The segment is there if it is not the first one.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(log, forKey: .log)
    try members.encode(rule.name, forKey: .rule)
    try members.encode(verdict.rawValue, forKey: .verdict)
    try members.encode(triggers, forKey: .triggers)
    try members.encodeIfPresent(step, forKey: .step)
    if isInLaterSegment { try members.encode(segment, forKey: .segment) }
    try members.encode(chain, forKey: .chain)
    if isChainCut { try members.encode(true, forKey: .chainCut) }
    try members.encodeIfPresent(unreadable?.description, forKey: .unreadable)
    if !missingStores.isEmpty {
      try members.encode(missingStores.map(\.name), forKey: .missingStores)
    }
    if !missingPaths.isEmpty { try members.encode(missingPaths.map(\.path), forKey: .missingPaths) }
    try members.encode(next, forKey: .next)
  }
}

/// The results of checking rules in one recording.
public struct CheckedLog: Sendable, Equatable {
  /// The path of the recording; of the first segment, if it has several.
  public let log: String
  /// The names of the stores, sorted.
  public let stores: [String]
  /// A result for each rule, in the order of the rules.
  public internal(set) var results: [RuleResult]
  /// The number of steps.
  public let steps: Int
  /// The way in which the last segment ends.
  public let ending: Ending
  /// The damaged lines, with the paths of their segments.
  public let damage: [Damage]

  /// The ways in which a recording ends.
  public enum Ending: Sendable, Equatable {
    /// It was closed.
    case closed
    /// It goes on in a segment that was not given.
    case continued
    /// It was not closed.
    case open

    init(_ end: LogEnd?) {
      guard let end, end.isComplete else {
        self = .open
        return
      }
      self = end.isContinued ? .continued : .closed
    }

    /// The reason why steps may be missing; nil if the recording was closed.
    public var reason: String? {
      switch self {
      case .closed: nil
      case .continued: "the recording continues in a segment that was not given"
      case .open: "the log was not closed"
      }
    }
  }

  /// A damaged line.
  public struct Damage: Sendable, Equatable {
    /// The path of the segment.
    public let path: String
    /// The finding.
    public let finding: Finding
  }
}

extension [CheckedLog] {
  /// Gives rules that no recording triggers the verdict ``RuleVerdict/vacuous``, and finds the stores that no recording has.
  ///
  /// All results are expected to be of the same rules. Nothing changes if they are not.
  public mutating func finish() {
    guard let rules = first?.results.map(\.rule), allSatisfy({ $0.results.map(\.rule) == rules })
    else { return }
    let stores = Set(flatMap(\.stores).map(BytewiseName.init)).sorted().map(\.text)
    for place in rules.indices {
      let automaton = RuleAutomaton(rules[place])
      let missing = automaton.stores.filter { !stores.contains(exactly: $0) }.map {
        RuleResult.MissingStore(name: $0, suggestion: Spelling.nearest(to: $0, among: stores))
      }
      for log in indices { self[log].results[place].missingStores = missing }
      guard allSatisfy({ $0.results[place].triggers == 0 }) else { continue }
      for log in indices where self[log].results[place].verdict == .holds {
        self[log].results[place].verdict = .vacuous
      }
    }
  }
}

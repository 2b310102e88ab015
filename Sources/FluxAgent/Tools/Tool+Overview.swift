import FluxInspector
import FluxJSON
import FluxLog
import FluxSystem

extension Tool {
  static let overview = Tool(
    "overview", "Overview of a recording",
    about: """
      What a recording contains: its app and status, stores with sizes, actions by type, rejections, gaps, marks, a \
      crash, and the steps most worth looking at. Call it first for each log.
      """,
    example: ["log": "shop.jsonl"]
  ) { (arguments: OverviewArguments, context, extras) in
    try context.read(arguments.log, fork: arguments.fork) { session in
      try Overview(&session, context).answer(&extras)
    }
  }
}

private struct OverviewArguments: Described {
  let log: String
  let fork: Int?

  static let about: KeyValuePairs = ["log": LogArgument.about, "fork": LogArgument.aboutFork]
}

/// The sentences of arguments that many tools have.
enum LogArgument {
  static let about = "The name of the log, as recordings lists it"
  static let aboutFork =
    "The number of a fork that what_if or shrink made; without it, the recording"
  static let aboutCursor = "The cursor of an earlier answer, for its next page"
}

struct OverviewAnswer: Described {
  let info: VerbatimJSON
  let stores: [VerbatimJSON]
  let types: [VerbatimJSON]
  let rejections: Int
  let marks: [VerbatimJSON]
  let worthALook: [VerbatimJSON]

  static let about: KeyValuePairs = [
    "info":
      "The header and the condition: app, steps, first, closed, gaps, warnings, actions in flight",
    "stores": "{name, type?, feature, reflected?, state, bytes?} at the end of the log",
    "types": "{type, count}, the most frequent first",
    "rejections": "The number of rejected steps",
    "marks": "{n, text, t}: marks that the app or its user set before step n",
    "worthALook": "{n, type?, why}: up to ten steps that are unlike the others",
  ]
}

/// The facts about a log that need no pass through it.
private struct Overview {
  private static let largestTypeCount = 60
  private static let largestMarkCount = 20
  private static let largestCount = 10

  private let session: Session
  private let context: ToolContext
  private let log: LogFile
  private let information: Information
  private let types: [TypeCount]

  init(_ session: inout Session, _ context: ToolContext) throws {
    information = try session.information()
    types = try session.types().types
    (self.session, self.context, log) = (session, context, session.timeline.log)
  }

  func answer(_ extras: inout Extras) throws -> OverviewAnswer {
    var stores: [StoreEntry] = []
    do {
      stores = try session.standing(at: session.timeline.end).stores().stores
    } catch let error as LogError {
      extras.notes.append("the stores cannot be read at the end: \(error.message)")
    }
    if types.count > Self.largestTypeCount {
      extras.left.append(
        "\((types.count - Self.largestTypeCount).counted("rarer type")) of actions; steps with a filter such as todo/* "
          + "finds them"
      )
    }
    if log.marks.count > Self.largestMarkCount {
      extras.left.append((log.marks.count - Self.largestMarkCount).counted("later mark"))
    }
    return OverviewAnswer(
      info: try context.verbatim(information), stores: try stores.map(context.verbatim),
      types: try types.prefix(Self.largestTypeCount).map(context.verbatim),
      rejections: log.rejectionCount(in: 0..<log.count),
      marks: try log.marks.prefix(Self.largestMarkCount).map {
        try context.verbatim(
          MarkRow(
            n: session.timeline.stepNumber(at: $0.position), text: $0.mark.text,
            t: Seconds($0.mark.time)))
      },
      worthALook: try worthALook().map(context.verbatim))
  }

  private struct MarkRow: Encodable {
    let n: StepNumber
    let text: String
    let t: Seconds
  }

  // MARK: Worth a look

  private struct Hint: Encodable {
    let n: StepNumber
    let type: String?
    let why: String
  }

  /// The steps that are unlike the others: where the log ends badly, what was rejected, what is missing, what is rare.
  private func worthALook() -> [Hint] {
    var hints: [Hint] = []
    func add(_ position: Int, _ why: String) {
      guard hints.count < Self.largestCount, position >= 0, position < log.count else { return }
      let number = session.timeline.stepNumber(at: position)
      guard !hints.contains(where: { $0.n == number }) else { return }
      hints.append(Hint(n: number, type: log.type(at: position), why: why))
    }
    // An action in flight has no step that the other tools know, so the last step says what came after it.
    let inFlight = information.inFlight.suffix(2).map(\.sentence).joined(separator: "; ")
    if !inFlight.isEmpty, !log.isBeingRecorded {
      add(
        log.count - 1,
        "the last step of a recording that was cut off, so the app may have crashed. In flight: \(inFlight)"
      )
    }
    var from = 0
    func addRejected(_ most: Int) {
      for _ in 0..<most {
        guard let found = log.position(in: from..<log.count, shapeWhere: { $0.isRejected })
        else { return }
        add(found, "it was rejected")
        from = found + 1
      }
    }
    addRejected(3)
    for gap in log.gaps.prefix(2) {
      add(gap.position, "\(GapEntry(gap.gap).sentence), before this step")
    }
    for damage in log.breaks.prefix(2) {
      add(damage.position, "lines before it are damaged or missing")
    }
    for mark in log.marks.prefix(2) { add(mark.position, "a mark was set before it") }
    for type in types.reversed().prefix(20) where type.count == 1 && types.count > 3 {
      let found = log.position(in: 0..<log.count, typeWhere: { $0 == type.type })
      if let found { add(found, "the only action of its type") }
    }
    addRejected(Self.largestCount - hints.count)
    return hints
  }
}

public import FluxJSON
package import FluxLog
import FluxSystem

/// A log in numbers: `{"file"?,"steps","types","bytes","duration"}`.
public struct Statistics: CommandResult {
  private enum CodingKeys: String, CodingKey {
    case file, steps, types, byteCount = "bytes", duration
  }

  /// The path of the log, if there are several to tell apart.
  public let file: String?
  /// The number of steps.
  public let steps: Int
  /// The types of actions, the most frequent first.
  public let types: [TypeCount]
  /// The size of the file.
  public let byteCount: Int
  /// The time of the last step.
  public let duration: Seconds

  /// Reads the numbers of a log whose index is complete.
  package init(of log: LogFile, file: String? = nil) throws(LogError) {
    self.file = file
    steps = log.count
    types = TypeCount.all(in: log)
    byteCount = log.progress.total
    duration = Seconds(steps > 0 ? try log.step(at: steps - 1).time : LogTime(microseconds: 0))
  }
}

/// An action in flight: it was logged, but its step is not in the file. `{"n","type"?,"committed","dropped"?,"payload"?}`
public struct InFlightStep: Sendable, Encodable {
  private enum CodingKeys: String, CodingKey {
    case number = "n", type, isCommitted = "committed", isDropped = "dropped", payload
  }

  /// The number of Unicode scalars of the payload in a sentence.
  private static let longestPayload = 200

  /// The number of its step.
  public let number: UInt64
  /// Its type, if it is known.
  public let type: String?
  /// `true` if its step committed; otherwise its reducers were running.
  public let isCommitted: Bool
  /// `true` if this step and those after it were dropped, otherwise nil.
  public let isDropped: Bool?
  /// Its payload, or all members but the type if it has more; nil if it has none, or was too large to be kept.
  public let payload: JSON?

  package init(_ action: InFlightAction) {
    (number, type, isCommitted) = (action.number, action.type, action.isCommitted)
    isDropped = action.isDropped ? true : nil
    payload = action.action?.actionContent
  }

  /// The action as a sentence, with the beginning of its payload.
  public var sentenceWithPayload: String {
    sentence + (payload.map { ": \($0.excerpt(Self.longestPayload))" } ?? "")
  }

  /// The action as a sentence.
  public var sentence: String {
    if isDropped == true {
      return "step \(number) and those after it were dropped: the recorder was too far behind"
    }
    let type = type ?? "of an unknown type"
    return isCommitted
      ? "step \(number) \(type), committed, but its line was not written"
      : "step \(number) \(type), begun, but not finished"
  }
}

/// Steps that are not in the log: `{"from","to","why","step"?}`.
///
/// A gap without a missing step, whose `to` is one less than `from`, tells that the app went back to another model.
public struct GapEntry: Sendable, Encodable {
  /// The first missing step.
  public let from: UInt64
  /// The last missing step; of a gap without one, the step before ``from``.
  public let to: StepNumber
  /// The reason.
  public let why: String
  /// The step to whose model the app went back; 0 for the initial states.
  public let step: UInt64?

  /// Takes a gap of the log.
  package init(_ gap: LogGap) {
    (from, why) = (gap.from, gap.why.description)
    to = StepNumber(gap.through == .max ? nil : gap.through)
    step = if case .step(let number)? = gap.model { number } else { nil }
  }

  private var isEmpty: Bool { (to.value ?? .max) &+ 1 == from }

  /// The gap as a sentence: `steps 6 to 9 are not in the log: paused`.
  public var sentence: String {
    if isEmpty, why == LogGap.Why.imported.description {
      return "the states from step \(from) on are not in the log: \(why)"
    }
    if isEmpty, why != LogGap.Why.restored.description {
      return "lines before step \(from) are not in the log: \(why)"
    }
    if isEmpty {
      let model =
        switch step {
        case nil: "another model"
        case 0?: "its initial states"
        case let step?: "the model after step \(step)"
        }
      return "the app went back to \(model) before step \(from): \(why)"
    }
    return from == to.value
      ? "step \(from) is not in the log: \(why)"
      : "steps \(from) to \(to) are not in the log: \(why)"
  }
}

/// The header of a log and its condition.
///
/// `{"log","created","app","circumstances"?,"format","first","steps","stores","closed","continued"?,"torn","inflight","gaps",
/// "warnings"}`
public struct Information: CommandResult {
  private enum CodingKeys: String, CodingKey {
    case log, created, app, circumstances, format, first, steps, stores, reflected
    case isClosed = "closed"
    case isContinued = "continued", isTorn = "torn", inFlight = "inflight", gaps, warnings
  }

  /// The app that wrote the log: `{"name","version"?}`.
  public struct App: Sendable, Encodable {
    /// The name of the app.
    public let name: String
    /// Its version.
    public let version: String?
  }

  /// The identity of the log, or null.
  public let log: Nullable<String>
  /// The time at which the recording began, or null.
  public let created: Nullable<String>
  /// The app, or null.
  public let app: Nullable<App>
  /// The flags and other constants of the recording by name, or nil.
  public let circumstances: JSON?
  /// The version of the format.
  public let format: String
  /// The number of the first step.
  public let first: UInt64
  /// The number of steps.
  public let steps: Int
  /// The names of the stores.
  public let stores: [String]
  /// The stores whose states were recorded by reflection and cannot be replayed; nil if there are none.
  public let reflected: [String]?
  /// `true` if the log has an end line.
  public let isClosed: Bool
  /// `true` if the recording continues in another segment, otherwise nil.
  public let isContinued: Bool?
  /// `true` if the last line is truncated.
  public let isTorn: Bool
  /// The actions in flight after the last step.
  public let inFlight: [InFlightStep]
  /// The gaps.
  public let gaps: [GapEntry]
  /// Everything that is wrong with the log, as sentences.
  public let warnings: [String]

  /// The path of the log; not encoded.
  public let file: String
  /// The number of the last step; not encoded.
  public let last: UInt64?
  /// The app and its version, as text; not encoded.
  package let appTitle: String?
  /// The platform that the log was recorded on, as text; not encoded.
  public let platform: String?
  /// The redacted places; not encoded.
  public let redacted: [String]
  /// The only places that are not redacted; nil if there is no such list; not encoded.
  public let only: [String]?
  /// `false` if the last steps before the end line may be missing; not encoded.
  public let isComplete: Bool

  /// Reads what is indexed of a log.
  package init(_ file: LogFile) {
    let header = file.header
    log = Nullable(header.log)
    created = Nullable(header.created?.description)
    app = Nullable(header.app.map { App(name: $0.name, version: $0.version) })
    circumstances =
      header.circumstances.isEmpty
      ? nil
      : JSON(
        object: header.circumstances.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    format = header.version.description
    first = header.first
    steps = file.count
    stores = file.storeNames
    let reflected = header.stores.filter(\.isReflected).map(\.name)
    self.reflected = reflected.isEmpty ? nil : reflected
    isClosed = file.end != nil
    isContinued = file.end?.isContinued == true ? true : nil
    isTorn = file.isTorn
    gaps = file.gaps.map { GapEntry($0.gap) }
    var warnings = file.findings.filter { $0.problem.severity > .note }.map(\.description)
    switch file.unknownLineCount {
    case 0: break
    case 1: warnings.append("1 line is of a kind that this version does not know, and is skipped")
    case let count:
      warnings.append(
        "\(count) lines are of kinds that this version does not know, and are skipped")
    }
    if let unmatched = file.end?.unmatched, !unmatched.isEmpty {
      warnings.append(
        "redaction pointers that matched no value: \(unmatched.joined(separator: ", ")): misspelled, "
          + "or the value was absent throughout")
    }
    var inFlight: [InFlightStep] = []
    do throws(LogError) {
      if let unwritten = file.unwrittenSentence { warnings.append(unwritten) }
      inFlight = try file.inFlight().map(InFlightStep.init)
    } catch {
      // Everything else about the log is known all the same.
      warnings.append(error.message)
    }
    self.inFlight = inFlight
    self.warnings = warnings
    self.file = file.path
    last = file.number(at: file.count - 1)
    appTitle = header.app?.title
    platform = header.platform.map { $0.os + ($0.swift.map { ", Swift \($0)" } ?? "") }
    redacted = header.redacted
    only = header.only
    isComplete = file.end?.isComplete ?? false
  }
}

extension LogFile {
  /// The number of steps whose states are not all in the log, as a sentence; nil if there are none.
  package var unwrittenSentence: String? {
    let count = unwrittenStepCount()
    guard count > 0 else { return nil }
    return
      "\(count.counted("step")) changed states that are not written: the recorder was behind; actions are complete"
  }

  /// The name of the app; of the file, if the log names no app.
  package var shortName: String { header.app?.name ?? path.lastPathName }

  /// Counts the steps among some positions that were rejected.
  package func rejectionCount(in positions: Range<Int>) -> Int {
    shapeCounts(in: positions).reduce(0) { $0 + ($1.shape.isRejected ? $1.count : 0) }
  }
}

extension LogHeader.App {
  /// The name and, if it is known, the version.
  package var title: String { [name, version].compactMap(\.self).joined(separator: " ") }
}

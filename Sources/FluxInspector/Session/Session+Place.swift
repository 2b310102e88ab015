public import FluxJSON
public import FluxLog
package import FluxReplay
import FluxSystem

/// The fork that a session is on, and the number of its steps up to here.
package struct ForkHere: Sendable {
  package let fork: OpenFork
  package let count: Int

  var steps: [ForkStep] { fork.history.steps }

  /// `true` if no step of the fork comes after the one here.
  package var isNewest: Bool { count == steps.count }

  /// The step here; nil at the start of the fork.
  var step: ForkStep? { count > 0 ? steps[count - 1] : nil }

  var states: StoreDictionary<JSON> { fork.history.states(afterSteps: count) }

  /// The number of the step here, or of the one before the fork.
  var number: StepNumber { number(afterSteps: count) }

  func number(afterSteps count: Int) -> StepNumber {
    let next = fork.history.first + UInt64(count)
    return StepNumber(next > 0 ? next - 1 : nil)
  }
}

extension ForkHistory {
  /// `true` if no step of the fork caused the one at an index.
  package func isRoot(_ index: Int) -> Bool { steps[index].cause.map { $0 < first } ?? true }

  package func matches(
    _ filter: StepFilter, at index: Int, check: @escaping () throws -> Void = {}
  ) throws -> Bool {
    switch filter {
    case .glob(let glob): glob.matches(steps[index].type)
    case .expression(let expression), .text(_, let expression):
      try expression.holds(for: document(afterSteps: index + 1), check: check)
    }
  }
}

// The reads of one place. Whatever looks here asks these, so that it works on a fork as on the recording.
extension Session {
  /// The current place of the session.
  public var place: Place {
    forkPlace.map { .fork($0.number, $0.count) } ?? .recording(position)
  }

  /// Returns the same session at another place; this one does not move.
  ///
  /// - Throws: ``CommandError`` if the fork does not have that place.
  public func standing(at place: Place) throws(CommandError) -> Session {
    switch place {
    case .recording(let position): return standing(at: position)
    case .fork(let number, let count):
      let steps = try fork(number).history.steps.count
      guard (0...steps).contains(count) else {
        throw CommandError(
          .badPosition, "fork \(number) has \(steps.counted("step")), so there is no index \(count)"
        )
      }
      var session = self
      session.forkPlace = (number, count)
      return session
    }
  }

  /// Stands at a place, as after a move; on the recording, the session leaves its fork.
  package mutating func stand(at place: Place) throws(CommandError) {
    let there = try standing(at: place)
    if case .recording(let position) = place { stand(at: position) }
    forkPlace = there.forkPlace
  }

  package var forkHere: ForkHere? {
    guard let forkPlace, let fork = openForks[forkPlace.number] else { return nil }
    return ForkHere(fork: fork, count: forkPlace.count)
  }

  /// The step here; nil before the first one.
  ///
  /// On a fork, the line that dispatched it is that of the recorded step that it repeats.
  public func currentStep() throws(LogError) -> LogStep? {
    guard let here = forkHere else {
      return position >= 0 ? try timeline.step(at: position) : nil
    }
    guard var step = here.step?.logStep else { return nil }
    if let recorded = recordedPosition { step.source = try log.step(at: recorded).source }
    return step
  }

  /// The step here; an error if there is none.
  func stepHere() throws -> LogStep {
    if let step = try currentStep() { return step }
    guard let here = forkHere else {
      throw CommandError(
        .badPosition, "there is no step here: this is the state before the first",
        next: .goToFirstStep)
    }
    throw CommandError(
      .badPosition,
      here.steps.isEmpty
        ? "fork \(here.fork.number) has no step yet"
        : "there is no step here: this is the start of fork \(here.fork.number)",
      next: here.steps.isEmpty ? .dispatch : .goToFirstStep)
  }

  /// The position of the recorded step here, or of the one that the step of a fork repeats; nil if there is none.
  public var recordedPosition: Int? {
    guard let here = forkHere else { return position >= 0 ? position : nil }
    return log.position(ofCause: here.step?.repeats, before: .max)
  }

  /// The position that stands for the place here in questions about the recording: on a fork, that of the last recorded
  /// step that it repeats up to here, or else of the step that it left.
  package var positionInRecording: Int {
    guard let here = forkHere else { return position }
    let repeated = here.steps.prefix(here.count).last { $0.repeats != nil }?.repeats
    return log.position(ofCause: repeated, before: .max) ?? here.fork.history.position
  }

  /// The number of the step here, or of the one before the first.
  package var numberHere: StepNumber { forkHere?.number ?? number(at: position) }

  /// The step here as a document for queries.
  public var document: QueryDocument {
    guard let here = forkHere else { return document(at: position) }
    return here.fork.history.document(afterSteps: here.count)
  }

  /// The document of a step of the recording, with the states that the log lacks if the app can rebuild them.
  func document(at position: Int) -> QueryDocument {
    timeline.document(at: position) { [self] store in
      timeline.isUnwritten(store, at: position)
        ? try rebuiltModel(at: position)?.state(of: store) : nil
    }
  }

  /// The names of the stores here, in order.
  public var storeNames: [String] {
    forkHere?.states.ordered.map(\.key) ?? log.storeNames
  }

  /// The state of a store here, rebuilt by replay if the log lacks it and there is an app; nil if it is absent.
  ///
  /// - Throws: `LogError` if it is unknown or cannot be read, and ``CommandError`` if it is interrupted.
  public func currentState(of store: String) throws -> JSON? {
    if let here = forkHere { return here.states[store] }
    switch try storeState(store, at: position) {
    case .present(let json): return json
    case .absent: return nil
    case .unknown: throw timeline.unknown([store], at: position)
    }
  }

  // MARK: The steps around here

  /// The index of the step here among those of the recording, or of the fork that the session is on; `Timeline.start` before
  /// the first.
  var stepIndex: Int { forkHere.map { $0.count - 1 } ?? position }

  /// The number of steps of the recording that are indexed, or of the fork that the session is on.
  var stepCount: Int { forkHere?.steps.count ?? log.count }

  /// The place of a step of the recording, or of the fork that the session is on.
  func place(ofStep index: Int) -> Place {
    forkHere.map { .fork($0.fork.number, index + 1) } ?? .recording(index)
  }

  /// Waits until there are more than `count` steps, or all; a fork has them all.
  func waitForSteps(beyond count: Int) throws -> Bool {
    try forkHere == nil && waitForIndex(beyond: count)
  }

  /// The index of the last step; waits for the whole index.
  func lastStep() throws -> Int {
    try forkHere.map { $0.steps.count - 1 } ?? lastPosition()
  }

  /// The words for an end of the recording, or of the fork that the session is on.
  func nameOfEnd(_ direction: SearchDirection) -> String {
    (direction == .forwards ? "end" : "start")
      + (forkHere.map { " of fork \($0.fork.number)" } ?? "")
  }

  /// Searches beyond a step: first the steps that are indexed, then those that follow.
  func search<Found>(
    _ direction: SearchDirection, beyond index: Int, _ search: (Range<Int>) throws -> Found?
  ) throws -> Found? {
    guard direction == .forwards else { return try search(0..<max(0, index)) }
    var from = index + 1
    while true {
      let count = stepCount
      if from < count, let found = try search(from..<count) { return found }
      guard try waitForSteps(beyond: count) else { return nil }
      from = max(from, count)
    }
  }

  // MARK: Causes

  /// The step that caused another.
  public enum Cause: Sendable, Equatable {
    /// The step is a root action, or there is no step.
    case none
    /// The place of the cause.
    case at(Place)
    /// The number of a cause that is not in the log.
    case missing(UInt64)
  }

  /// The step that caused the one here.
  public func cause() throws(LogError) -> Cause {
    guard let cause = try currentStep()?.cause else { return .none }
    if let here = forkHere, cause >= here.fork.history.first {
      let index = Int(clamping: cause - here.fork.history.first)
      return index < here.count - 1 ? .at(.fork(here.fork.number, index + 1)) : .missing(cause)
    }
    let found = log.position(ofCause: cause, before: forkHere == nil ? position : .max)
    return found.map { .at(.recording($0)) } ?? .missing(cause)
  }
}

extension SearchDirection {
  /// The elements of a range in this direction.
  func indices(in range: Range<Int>) -> StrideThrough<Int> {
    self == .forwards
      ? stride(from: range.lowerBound, through: range.upperBound - 1, by: 1)
      : stride(from: range.upperBound - 1, through: range.lowerBound, by: -1)
  }
}

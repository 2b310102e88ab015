import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

/// A place whose states the page shows: a row of the recording, or a fork after some of its steps.
enum PagePlace {
  case row(PageRow)
  case fork(ForkPlace)
}

/// A fork after some of its steps: `{"fork","index"}`, with 0 for its initial states.
struct ForkPlace {
  let number: Int
  let index: Int
  let history: ForkHistory

  /// The states there, by the app's names for its stores.
  var model: JSON { model(afterSteps: index) }

  /// The states before the step that led there; nil at the start of the fork.
  var modelBefore: JSON? { index > 0 ? model(afterSteps: index - 1) : nil }

  /// The number of the step that led there, as a step of the recording would have it.
  var stepNumber: StepNumber { number(afterSteps: index) }

  /// The number of the step before that one.
  var numberBefore: StepNumber { number(afterSteps: index - 1) }

  private func number(afterSteps count: Int) -> StepNumber {
    if count > 0 { return StepNumber(history.steps[count - 1].number) }
    return StepNumber(history.first > 0 ? history.first - 1 : nil)
  }

  private func model(afterSteps count: Int) -> JSON {
    let states = history.states(afterSteps: count)
    return JSON { writer in
      writer.beginObject()
      for (store, state) in states.ordered { writer.member(store, state) }
      writer.endObject()
    }
  }
}

extension PageRequest {
  /// Reads a place that exists: the number of a row, or `{"fork","index"}`.
  ///
  /// - Throws: ``PageError`` if there is no such place.
  func place(_ name: String, in rows: RowMap) throws(PageError) -> PagePlace {
    guard let value = members[name], value.kind == .object else {
      return .row(try row(name, in: rows).row)
    }
    let place = try PageRequest(value, deadline: deadline)
    guard let number = try place.integer("fork"), let index = try place.integer("index") else {
      throw PageError(.badRequest, #"\#(name): expected {"fork","index"}"#)
    }
    guard let history = forks(number) else {
      throw PageError(.notFound, "\(name): there is no fork \(number)")
    }
    guard (0...history.steps.count).contains(index) else {
      throw PageError(
        .badRequest,
        "\(name): fork \(number) has \(history.steps.count) steps, so there is no index \(index)")
    }
    return .fork(ForkPlace(number: number, index: index, history: history))
  }
}

/// A fork of the console as the page lists it: `{"fork","row","end","steps"}`.
struct PageFork: Encodable {
  private enum CodingKeys: String, CodingKey { case number = "fork", row, end, stepCount = "steps" }

  let number: Int
  /// The row at which it leaves the recording.
  let row: Int
  /// The row of the recording that corresponds to its newest step.
  let end: Int
  let stepCount: Int

  /// The forks of a session.
  static func all(of session: Session, in rows: RowMap) -> [PageFork] {
    session.forks.forks.compactMap { fork in
      guard let history = session.history(ofFork: fork.number) else { return nil }
      let repeated = history.steps.last { $0.repeats != nil }?.repeats
      let end =
        repeated.flatMap { session.timeline.log.position(atOrBefore: $0) }
        ?? min(history.position + history.steps.count, rows.stepCount - 1)
      return PageFork(
        number: fork.number, row: rows.row(ofStep: history.position),
        end: rows.row(ofStep: end), stepCount: history.steps.count)
    }
  }
}

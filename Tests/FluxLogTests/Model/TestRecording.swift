import FluxJSON
import TestFixtures

@testable import FluxLog

/// The expected contents of a log: each step's action, and the whole model after it.
struct TestRecording {
  struct Step {
    var number: UInt64
    var type: String
    var cause: UInt64?
    /// By store; `nil` if a gap before the step hides the model.
    var model: [String: JSON]?
    var isRejected = false
    /// `true` if the step is not in the file.
    var isSkipped = false
  }

  var stores: [LogHeader.Store]
  var steps: [Step] = []

  /// The model before the first step.
  var initial: [String: JSON] {
    Dictionary(
      uniqueKeysWithValues: stores.compactMap { store in store.initial.map { (store.name, $0) } })
  }

  /// The steps in the file; their indices are the positions.
  var written: [Step] { steps.filter { !$0.isSkipped } }

  /// Returns the expected step at a position.
  func model(at position: Int) -> [String: JSON]? {
    position < 0 ? initial : written[position].model
  }

  /// Writes the log.
  func write(
    to path: String, _ states: LogWriter.Options.States, isClosed: Bool = true
  ) throws {
    var options = LogWriter.Options()
    options.states = states
    options.durability = .buffered
    options.overflow = .block
    let header = LogHeader(
      log: "test", created: LogInstant(microseconds: 0), seed: 1, stores: stores)
    let writer = try LogWriter(path: path, header: header, options: options)
    // The model is unknown after a rejected step that follows a gap, but it has not changed.
    var previous = initial
    for step in steps {
      let model = step.isRejected ? previous : step.model ?? [:]
      let changes = Set(previous.keys).union(model.keys).sorted()
        .filter { previous[$0] != model[$0] }
        .map { StepRecord.Change(store: $0, state: model[$0].map { LogValue(json: $0) }) }
      previous = model
      guard !step.isSkipped else {
        writer.skip(step: step.number, changes: changes, why: .paused)
        continue
      }
      let time = LogTime(microseconds: step.number * 1000)
      let action = LogValue(json: ["type": JSON(stringLiteral: step.type)])
      var record = StepRecord(
        number: step.number, time: time,
        action: writer.begin(step: step.number, at: time, action: action), changes: changes)
      record.cause = step.cause
      if step.isRejected { record.rejection = LogRejection(reason: "no", message: "") }
      writer.append(record)
    }
    try writer.close()
  }
}

extension TestRecording {
  /// A recording with random changes, rejected steps, features that come and go, and gaps.
  static func random(_ purpose: Int, steps count: Int, hasGaps: Bool = true) throws
    -> TestRecording
  {
    var random = RandomJSON(purpose)
    func state() throws -> JSON {
      try JSON.parse(random.value(depth: 3)).canonical()
    }
    var recording = TestRecording(stores: [
      .init(name: "a", type: "A", initial: try state()),
      .init(name: "b", type: "B", initial: ["items": [["id": 1, "n": 0], ["id": 2, "n": 0]]]),
      .init(name: "c/~é", type: "C", isFeature: true),
    ])
    var model = recording.initial
    var isHidden = false
    for number in 1...UInt64(count) {
      var step = Step(number: number, type: ["x/a", "x/b", "y"][random.below(3)])
      if number > 1, random.chance(3) { step.cause = UInt64(random.below(Int(number) - 1)) + 1 }
      step.isRejected = random.chance(10)
      step.isSkipped = hasGaps && !step.isRejected && random.chance(12)
      if !step.isRejected { model = try random.changed(model) }
      if step.isSkipped {
        isHidden = true
      } else if !step.isRejected {
        isHidden = false
      }
      step.model = step.isSkipped || !isHidden ? model : nil
      recording.steps.append(step)
    }
    return recording
  }
}

extension RandomJSON {
  /// Returns a model that differs in up to two stores.
  fileprivate mutating func changed(_ model: [String: JSON]) throws -> [String: JSON] {
    var model = model
    for _ in 0..<below(3) {
      let store = ["a", "b", "c/~é"][below(3)]
      switch (store, model[store]) {
      case ("b", let items?):
        let place = below(items["items"]?.count ?? 1)
        let patch = Patch([
          chance(4)
            ? .add(
              try Pointer("/items/\(place)"), ["id": 7, "n": JSON(integerLiteral: Int64(below(3)))])
            : .replace(try Pointer("/items/\(place)/n"), JSON(integerLiteral: Int64(below(3))))
        ])
        model[store] = try patch.applied(to: items).canonical()
      case (let store, nil):
        model[store] = try JSON.parse(value(depth: 2)).canonical()
      case ("c/~é", _) where chance(3): model[store] = nil
      case (let store, let state?):
        model[store] = try JSON.parse(edited(state)).canonical()
      }
    }
    return model
  }
}

import FluxJSON
import Foundation
import TestFixtures
import Testing

@testable import FluxLog
@testable import FluxReplay

/// Everything that knows the model along the steps of a log agrees with one naive model.
///
/// A log that fails is shrunk: the message has the fewest lines with which it still fails.
struct ReferenceModelTests {
  private static let count = ProcessInfo.processInfo.environment["FLUX_SOAK"] == nil ? 20 : 5_000
  private let folder = try? TemporaryFolder()

  @Test("A timeline knows what the naive model knows, forwards, backwards and at random")
  func timeline() throws {
    try check { log, model, random in
      for (name, order) in orders(model.steps.count, &random) {
        // A cache that keeps nothing is slow, and one order shows whether it is right.
        for cacheByteCount in name == "at random" ? [64 << 20, 1] : [64 << 20] {
          let timeline = Timeline(log, cacheByteCount: cacheByteCount)
          for position in order {
            let expected = position < 0 ? model.initial : model.steps[position].after
            for store in model.stores {
              let found = try timeline.storeState(store, at: position)
              try Difference.unless(found, expected[store], "\(name): \(store) after \(position)")
              let text = try timeline.value(Pointer("/text"), of: store, at: position)
              try Difference.unless(
                text, member: "text", expected[store], "\(name): \(store).text after \(position)")
            }
          }
        }
        let timeline = Timeline(log)
        for position in order where position >= 0 {
          let step = model.steps[position]
          let found = try timeline.model(before: position).states
          // The model before missing steps is that after the step before them.
          let isLast = step.isAfterBreak && !step.isRestored
          let last = position > 0 ? model.steps[position - 1].after : model.initial
          for store in model.stores {
            try Difference.unless(
              found[store], isLast ? last[store] : step.before[store],
              "\(name): \(store) before \(position)")
          }
          let changed = Set(try timeline.changedStores(at: position))
          try Difference.unless(
            changed == step.changed,
            "\(name): \(position) changed \(changed.sorted()), not \(step.changed.sorted())")
          let unrecorded = Set(try timeline.unrecordedStores(at: position))
          try Difference.unless(
            unrecorded == (step.replacesModel ? [] : step.maybeChanged),
            "\(name): \(position) may have changed \(unrecorded.sorted())")
        }
      }
    }
  }

  @Test(
    "The model of a pass knows what the naive model knows, whether states are read at each step or seldom"
  )
  func pass() throws {
    try check { log, model, random in
      for (oneIn, start) in [
        (1, 0), (3, 0), (1, model.steps.indices.randomElement(using: &random) ?? 0),
      ] {
        let pass = StepPass(log, start..<log.count)
        let passed = try PassedModel(
          log.storeNames, keepsBefore: oneIn == 1, along: pass, in: Timeline(log))
        let document = passed.document()
        let members = ["text", "count"]
        func values(_ states: String) throws -> [[() throws -> JSON?]] {
          try passed.names.map { store in
            try members.map { member in
              let place = Location([.name(states), .name(store), .name(member)])
              let path = try #require(QueryExpression(try Path(place.normalizedPath)))
              let read = document.reading(passed.reader(of: path.places))
              return { try path.value(in: read) }
            }
          }
        }
        func state(of value: () throws -> JSON?) throws -> StoreState {
          let found = try LogError.ifKnown { try value() }
          return found.map { $0.map { .present($0) } ?? .absent } ?? .unknown
        }
        let (after, before) = (try values("state"), try oneIn == 1 ? values("before") : [])
        var position = start
        while let step = pass.advance() {
          try passed.take(step)
          let expected = model.steps[position]
          for (index, store) in passed.names.enumerated()
          where Int.random(in: 0..<oneIn, using: &random) == 0 {
            for (value, member) in zip(after[index], members) where Bool.random(using: &random) {
              try Difference.unless(
                state(of: value), member: member, expected.after[store],
                "\(member) of \(store) after \(position)")
            }
            try Difference.unless(
              passed.state(index), expected.after[store], "\(store) after \(position)")
            if oneIn == 1 {
              try Difference.unless(
                passed.before(index), expected.before[store], "\(store) before \(position)")
              for (value, member) in zip(before[index], members) {
                try Difference.unless(
                  state(of: value), member: member, expected.before[store],
                  "\(member) of \(store) before \(position)")
              }
            }
          }
          if oneIn == 1 { try Self.compareChanges(of: passed, with: expected, at: position) }
          position += 1
        }
        try Difference.unless(
          position == model.steps.count, "\(position) steps, not \(model.steps.count)")
      }
    }
  }

  /// A pass does not know the last known states, so a change is unknown to it where the states right before the step are.
  private static func compareChanges(
    of passed: PassedModel, with step: ReferenceModel.Step, at position: Int
  ) throws {
    func unlessUnknown<Answer>(_ answer: () throws(LogError) -> Answer) throws -> Answer? {
      do throws(LogError) {
        return try answer()
      } catch {
        guard case .unknownStates = error.reason else { throw error }
        return nil
      }
    }
    let changed = try unlessUnknown { () throws(LogError) in Set(try passed.changed()) }
    try Difference.unless(
      changed == (step.maybeChanged.isEmpty ? step.changed : nil),
      "\(position) changed \(changed.map { "\($0.sorted())" } ?? "something unknown")")
    for store in passed.names {
      let isChanged = try unlessUnknown { () throws(LogError) in try passed.changes(store) }
      try Difference.unless(
        isChanged == (step.maybeChanged.contains(store) ? nil : step.changed.contains(store)),
        "\(position) changed \(store): \(isChanged.map { "\($0)" } ?? "unknown")")
    }
  }

  @Test("The walk of a replay knows what the naive model knows, from any step whose model is known")
  func walk() throws {
    try check { log, model, random in
      let timeline = Timeline(log)
      for start in model.steps.indices where Int.random(in: 0..<4, using: &random) == 0 {
        // No replay starts right after missing steps, which hide the model.
        if model.steps[start].isAfterBreak, !model.steps[start].isRestored { continue }
        let before = try timeline.model(before: start)
        guard before.unknownStores.isEmpty else { continue }
        var walk = RecordedWalk(before, by: log.rules(before: start))
        for position in start..<model.steps.count {
          let expected = model.steps[position]
          if position > start, expected.isAfterBreak { break }
          let step = try log.step(at: position)
          let place = "from \(start), after \(position)"
          do throws(LineProblem) {
            _ = try walk.advance(over: step)
          } catch {
            try Difference.unless(!expected.problems.isEmpty, "\(place): \(error.message)")
            break
          }
          try Difference.unless(
            expected.problems.isEmpty, "\(place): \(expected.problems) is not noticed")
          for store in model.stores {
            let state: StoreState = walk.states[store].map { .present($0) } ?? .absent
            let written =
              expected.isRestored && expected.isRejected ? expected.after : expected.written
            try Difference.unless(state, written[store], "\(place): \(store)")
          }
        }
      }
    }
  }

  @Test("The check of a log finds the changes that do not fit the model, and no others")
  func check() throws {
    try check { log, model, _ in
      var found: Set<String> = []
      for finding in try Timeline(log).check() {
        guard let step = finding.step else { continue }
        switch finding.problem {
        case .patchDoesNotApply(let store, _): found.insert("\(step) \(store) patchDoesNotApply")
        case .removalOfAbsentFeature(let store):
          found.insert("\(step) \(store) removalOfAbsentFeature")
        case .unwrittenAfterGap(let store): found.insert("\(step) \(store) unwrittenAfterGap")
        default: break
        }
      }
      let expected = model.steps.flatMap { step in
        step.problems.map { "\(step.number) \($0.key) \($0.value.rawValue)" }
      }
      try Difference.unless(
        found == Set(expected), "found \(found.sorted()), expected \(expected.sorted())")
    }
  }

  // MARK: Generated logs

  private struct Difference: Error {
    let text: String

    static func unless(_ isEqual: Bool, _ text: @autoclosure () -> String) throws {
      if !isEqual { throw Difference(text: text()) }
    }

    static func unless(
      _ found: StoreState?, _ expected: ReferenceModel.Known?, _ place: @autoclosure () -> String
    ) throws {
      let isEqual =
        switch (found, expected) {
        case (.present(let json), .value(let state)): try json == JSON.parse(state.json)
        case (.absent, .absent), (.unknown, .unknown): true
        default: false
        }
      try unless(
        isEqual,
        "\(place()): found \(found.map { "\($0)" } ?? "nothing"), expected \(expected.map { "\($0)" } ?? "nothing")"
      )
    }

    static func unless(
      _ found: StoreState, member: String, _ expected: ReferenceModel.Known?,
      _ place: @autoclosure () -> String
    ) throws {
      guard case .value(let state)? = expected else {
        return try unless(
          found == (expected == .absent ? .absent : .unknown), "\(place()): found \(found)")
      }
      let value = try state[member].map { try JSON.parse($0) }
      try unless(
        found == (value.map { .present($0) } ?? .absent),
        "\(place()): found \(found), expected \(state[member] ?? "nothing")")
    }
  }

  private typealias Examination = (LogFile, ReferenceModel, inout SeededGenerator) throws -> Void

  private func check(_ examine: Examination) throws {
    for round in 0..<Self.count {
      let seed = SeededGenerator.seed &+ UInt64(round)
      var random = SeededGenerator(seed: seed)
      let log = ModelLog.random(&random)
      guard var text = failure(of: log, seed, examine) else { continue }
      let smallest = shrunk(log) { smaller in
        guard let found = failure(of: smaller, seed, examine) else { return false }
        text = found
        return true
      }
      Issue.record("FLUX_SEED=\(seed): \(text)\n\(String(decoding: smallest.text, as: UTF8.self))")
      return
    }
  }

  /// The error of an examination; nil if the log passes it.
  private func failure(of log: ModelLog, _ seed: UInt64, _ examine: Examination) -> String? {
    do {
      let folder = try #require(folder)
      let path = try folder.replace("model.jsonl", with: log.text)
      let file = try LogFile.open(path)
      try file.waitForIndex()
      var random = SeededGenerator(seed: seed)
      try examine(file, ReferenceModel.reading(log), &random)
      return nil
    } catch let difference as Difference {
      return difference.text
    } catch {
      return "\(error)"
    }
  }

  /// Leaves out lines, and stores of steps, as long as the log still fails.
  private func shrunk(_ log: ModelLog, _ fails: (ModelLog) -> Bool) -> ModelLog {
    var log = log
    var size = log.lines.count / 2
    while size > 0 {
      var place = 0
      while place < log.lines.count {
        var smaller = log
        smaller.lines.removeSubrange(place..<min(place + size, log.lines.count))
        if fails(smaller) { log = smaller } else { place += size }
      }
      size /= 2
    }
    for place in log.lines.indices {
      guard case .step(let writes, _) = log.lines[place] else { continue }
      var rest = writes
      for store in writes.keys.sorted() {
        var smaller = log
        let write = rest.removeValue(forKey: store)
        smaller.lines[place] = .step(rest, type: "app/change")
        if fails(smaller) { log = smaller } else { rest[store] = write }
      }
    }
    return log
  }

  private func orders(_ count: Int, _ random: inout SeededGenerator) -> [(String, [Int])] {
    let positions = Array(-1..<count)
    return [
      ("forwards", positions), ("backwards", positions.reversed()),
      ("at random", positions.shuffled(using: &random)),
    ]
  }
}

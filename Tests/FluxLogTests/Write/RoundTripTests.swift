import FluxJSON
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

/// Writes random recordings, and wants every model back.
@Suite struct RoundTripTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// An app of a few stores that come, change and go.
  private struct App {
    var model: [String: JSON] = ["a": ["items": [], "text": ""], "b": 0]
    var random: SeededGenerator

    /// Changes a few stores; returns which, with their new states.
    mutating func step() -> [StepRecord.Change] {
      var changed: Set<String> = []
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let store = ["a", "b", "feature", "late"].randomElement(using: &random) ?? "a"
        change(store)
        changed.insert(store)
      }
      return changed.sorted().map { store in
        StepRecord.Change(store: store, state: model[store].map(LogValue.init(json:)))
      }
    }

    private mutating func change(_ store: String) {
      if store == "feature", model[store] != nil, Bool.random(using: &random) {
        model[store] = nil
        return
      }
      guard store == "a", let items = model["a"]?["items"] else {
        model[store] = JSON(integerLiteral: Int64.random(in: 0...3, using: &random))
        return
      }
      var texts = items.elements.map(\.text)
      let place = Int.random(in: 0...texts.count, using: &random)
      texts.insert(#"{"id":\#(random.next() % 1000),"done":false}"#, at: place)
      if texts.count > 30 { texts.removeFirst(Int.random(in: 1...25, using: &random)) }
      let letters = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        ["x", "é", "\u{1F600}", "\"", "\n"].randomElement(using: &random) ?? "x"
      }
      model["a"] = [
        "items": JSON(writing: { writer in
          writer.beginArray()
          for text in texts { writer.raw(Array(text.utf8)) }
          writer.endArray()
        }),
        "text": JSON(stringLiteral: letters.joined()),
      ]
    }
  }

  /// Records steps, some skipped and some rejected; returns the model after each that is written.
  private func record(_ seed: UInt64, _ options: LogWriter.Options) throws -> [UInt64: [String:
    JSON]]
  {
    var app = App(random: SeededGenerator(seed: seed))
    let stores = ["a", "b"].map { LogHeader.Store(name: $0, initial: app.model[$0]) }
    let header = LogHeader(log: "\(seed)", stores: stores)
    let writer = try LogWriter(path: folder.path("\(seed).jsonl"), header: header, options: options)
    var models: [UInt64: [String: JSON]] = [:]
    for number in UInt64(1)...150 {
      let time = LogTime(microseconds: number)
      let action = writer.begin(step: number, at: time, action: LogValue(json: ["type": "t"]))
      switch app.random.next() % 12 {
      case 0:
        writer.skip(step: number, changes: app.step(), why: .filtered)
      case 1:
        let rejection = LogRejection(reason: "r", message: "m")
        writer.append(
          StepRecord(number: number, time: time, action: action, rejection: rejection))
        models[number] = app.model
      default:
        writer.append(
          StepRecord(number: number, time: time, action: action, changes: app.step()))
        models[number] = app.model
      }
    }
    try writer.close()
    return models
  }

  /// Rebuilds the model after each step of a log; nil where it is unknown.
  private func models(of log: LogFile) throws -> [UInt64: [String: JSON]?] {
    var models: [UInt64: [String: JSON]?] = [:]
    let initial = log.header.stores.compactMap { store in store.initial.map { (store.name, $0) } }
    var model: [String: JSON]? = Dictionary(uniqueKeysWithValues: initial)
    let gaps = Set(log.breaks.map(\.position))
    for position in 0..<log.count {
      let step = try log.step(at: position)
      if gaps.contains(position) { model = nil }
      if model == nil, step.rejection == nil { model = [:] }
      if var known = model {
        for state in step.states?.members ?? JSON(integerLiteral: 0).members {
          known[state.name] = state.value
        }
        for patch in step.patches?.members ?? JSON(integerLiteral: 0).members {
          let previous = try #require(known[patch.name])
          known[patch.name] = try previous.applying([patch.value])
        }
        for feature in step.removed { known[feature] = nil }
        model = known
      }
      models[step.number] = model
    }
    return models
  }

  @Test(
    "Every model comes back, adaptive or full",
    arguments: [LogWriter.Options.States.adaptive, .full])
  func models(states: LogWriter.Options.States) throws {
    var options = LogWriter.Options()
    options.states = states
    options.durability = .buffered
    for round in UInt64(0)..<8 {
      let seed = SeededGenerator.seed &+ round
      let written = try record(seed, options)
      let log = try LogFile.opened(folder.path("\(seed).jsonl"))
      #expect(log.findings == [], "seed \(seed)")
      let read = try models(of: log)
      #expect(Set(read.keys) == Set(written.keys), "seed \(seed)")
      for (number, model) in written {
        // Between a gap and the next accepted step the model is unknown.
        guard let known = read[number] ?? nil else { continue }
        #expect(known == model, "seed \(seed), step \(number)")
      }
      try FileManager.default.removeItem(atPath: log.path)
    }
  }
}

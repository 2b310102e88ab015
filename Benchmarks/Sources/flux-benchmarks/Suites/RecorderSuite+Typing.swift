import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import Harness
import TextEditorExample

/// Typing into a text of 100 KB at full speed, in an app that does not wait: the log may lack states.
func typingFigures(_ conditions: Conditions) -> [Figure] {
  let keys = conditions.scale(20_000, quick: 4_000)
  let (url, text) = (conditions.scratch("typed.jsonl"), typedText)
  let edit: (Int, Int, String) -> TextAction = { place, count, inserted in
    .edit(patches: [TextEdit(at: place, delete: count, insert: inserted)])
  }
  let example = TypingSession(url: url, keys: keys, edit: edit) {
    let dispatcher = Dispatcher([TextEditorExample.TextStore()])
    dispatcher.dispatch(edit(0, 0, text))
    return dispatcher
  }
  let whole = TypingSession(url: url, keys: keys, edit: DocumentEdit.replace) {
    Dispatcher([DocumentStore(initialState: Document(text: text))])
  }
  return [
    press(example, in: "the example's lines", target: .timesRival(1 / 1.6)),
    leftOut(example, on: "the example's lines", target: .atMost(1)),
    press(whole, in: "one value", target: nil),
    leftOut(whole, on: "one value", target: nil),
  ]
}

private func press(
  _ typing: TypingSession<some Action>, in text: String, target: Target?
) -> Figure {
  Figure("key press in 100 KB, \(text)", in: .microseconds, on: .all, target: target) {
    Contest(
      .timed(amount: typing.keys, rounds: 5) { [try typing.record()] },
      on: "\(Readable.grouped(typing.keys)) keys",
      beside: [
        Rival("no recorder", .timed(amount: typing.keys, rounds: 5) { [typing.lap()] })
      ])
  }
}

private func leftOut(
  _ typing: TypingSession<some Action>, on input: String, target: Target?
) -> Figure {
  Figure("states left out of 100 KB, \(input)", in: .percent, on: .all, target: target) {
    Contest(
      .counted {
        _ = try typing.record()
        return [try typing.leftOut()]
      }, on: "\(Readable.grouped(typing.keys)) keys")
  }
}

/// Somebody who types as fast as the app takes keys.
private struct TypingSession<Edit: Action> {
  let url: URL
  let keys: Int
  /// Makes the action that replaces some characters by a text.
  let edit: (_ place: Int, _ count: Int, _ inserted: String) -> Edit
  let makeDispatcher: () -> Dispatcher

  /// Writes words at places all over the text, with a correction now and then.
  private func type(into dispatcher: Dispatcher) {
    var place = 0
    for key in 0..<keys {
      if key % 60 == 0 { place = key &* 7_919 % 90_000 }
      guard key % 10 != 9 else {
        place -= 1
        dispatcher.dispatch(edit(place, 1, ""))
        continue
      }
      dispatcher.dispatch(edit(place, 0, "x"))
      place += 1
    }
  }

  func lap() -> Lap {
    let dispatcher = makeDispatcher()
    return Stopwatch.lap { type(into: dispatcher) }
  }

  func record() throws -> Lap {
    var options = Recorder.Options()
    options.log.existing = .replace
    options.log.overflow = .thin
    let recorder = Recorder(to: url, options: options)
    let dispatcher = makeDispatcher()
    dispatcher.use(recorder)
    let lap = Stopwatch.lap { type(into: dispatcher) }
    try recorder.close()
    return lap
  }

  /// Returns the percentage of the steps of the last recording whose states are not written.
  func leftOut() throws -> Double {
    let log = try LogFile.open(url.filePath)
    try log.waitForIndex()
    var count = 0
    for position in 0..<log.count where try !log.step(at: position).unwritten.isEmpty { count += 1 }
    guard log.count == keys else {
      throw ExternalProgram.Failure(description: "\(log.count) of \(keys) steps are in the log")
    }
    return Double(count) * 100 / Double(keys)
  }
}

/// 2,000 lines.
private let typedText = String(
  repeating: "Somebody writes a document of some length, by hand.\n", count: 2_000)

// MARK: A text that is one value

private enum DocumentEdit: Action { case replace(at: Int, count: Int, inserted: String) }

private struct Document: StateValue {
  var text: String
  var cursor = 0
}

private struct DocumentStore: Store {
  let id: StoreID = "document"
  let initialState: Document

  func reduce(_ state: inout Document, _ edit: DocumentEdit, _ step: inout Step) {
    guard case .replace(let place, let count, let inserted) = edit else { return }
    state.text.replaceSubrange(range(place, count, in: state), with: inserted)
    state.cursor = place + inserted.utf8.count
  }

  /// The text has ASCII alone.
  private func range(_ place: Int, _ count: Int, in state: Document) -> Range<String.Index> {
    let start = state.text.utf8.index(state.text.startIndex, offsetBy: place)
    return start..<state.text.utf8.index(start, offsetBy: count)
  }
}

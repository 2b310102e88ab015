import FluxLog
import Harness

let seed: UInt64 = 20_261_120
print("seed \(seed)")

// MARK: Differences

let base = TodoState(1_000, seed: seed)
let before = try JSON.parse(base.text)
print("state of 1,000 todos: \(base.text.utf8.count) bytes")

func measureDifference(_ name: String, _ edit: (inout TodoState) -> Void) throws -> Measurement {
  var edited = base
  edit(&edited)
  let after = try JSON.parse(edited.text)
  let patch = before.patch(to: after)
  let bytes = patch.json().text.utf8.count
  print("\(name): \(patch.operations.count) operations, \(bytes) bytes")
  let measurement = Measurement.measure("difference, \(name)") { before.patch(to: after) }
  print(measurement)
  return measurement
}

let oneChange = try measureDifference("one change") { $0.finish(500) }
_ = try measureDifference("two changes, far apart") {
  $0.finish(10)
  $0.finish(990)
}
_ = try measureDifference("head insert") { $0.addFirst() }
_ = try measureDifference("remove in the middle") { $0.remove(500) }
_ = try measureDifference("100 changes") { for index in 0..<100 { $0.finish(index * 10) } }

var finished = base
finished.finish(500)
let (oldBytes, newBytes) = (Array(base.text.utf8), Array(finished.text.utf8))
let fromBytes = try Measurement.measure("parse both and compare", bytes: 2 * oldBytes.count) {
  try JSON.parse(oldBytes).patch(to: JSON.parse(newBytes))
}
print(fromBytes)

// MARK: Patches

func patches(_ count: Int) throws -> [[UInt8]] {
  var random = SeededGenerator(seed: seed)
  return (0..<count).map { step in
    let index = Int.random(in: 0..<1_000, using: &random)
    let patch =
      step % 2 == 0
      ? #"[{"op":"replace","path":"/items/\#(index)/done","value":true}]"#
      : #"[{"op":"replace","path":"/items/\#(index)/title","value":"title of step \#(step)"}]"#
    return Array(patch.utf8)
  }
}

let steps = try patches(500)
let parsed = try steps.map { try JSON.parse($0) }
let next = try Measurement.measure("next: apply one patch") {
  try before.applying(parsed.prefix(1))
}
print(next)
print(
  try Measurement.measure("apply 500 patches") { try before.applying(parsed) })
print(
  try Measurement.measure("parse 500 patches") { try steps.map { try JSON.parse($0) } })
print(try Measurement.measure("parse the state") { try JSON.parse(oldBytes) })
let seek = try Measurement.measure("seek: parse the state, parse and apply 500 patches") {
  try JSON.parse(oldBytes).applying(steps.map { try JSON.parse($0) })
}
print(seek)

// MARK: Text

let letters = String(repeating: "the quick brown fox jumps over the lazy dog. ", count: 1_000)
let document = try JSON.parse(#"{"text":"\#(letters)"}"#)
let keystrokes = try (0..<1_000).map { step in
  try JSON.parse(
    #"[{"op":"splice","path":"/text","at":\#(20_000 + step),"del":0,"ins":"x"}]"#)
}
print(
  try Measurement.measure("1,000 keystrokes in 45 KB of text") {
    try document.applying(keystrokes)
  })

// MARK: Queries

let filter = try Path("$.items[?@.done == true].title")
print(
  try Measurement.measure("path with a filter over 1,000 todos") { try filter.nodes(in: before) })
let everything = try Path("$..*")
print(try Measurement.measure("$..* over 1,000 todos") { try everything.nodes(in: before) })
let stepDocument = try JSON.parse(
  #"{"n":7,"action":{"type":"todo/toggle","payload":{"id":1}},"state":{"search":{"text":"mi"}}}"#)
let question = QueryDocument(stepDocument)
let expression = try StepExpression("$.action.type == 'todo/toggle' && search.text != 'milk'")
print(try Measurement.measure("expression on a small step") { try expression.holds(for: question) })

print(Bar("one change, differences in 10 us", 10e-6 / oneChange.median, atLeast: 1))
print(Bar("one change from bytes, in 200 us", 200e-6 / fromBytes.median, atLeast: 1))
print(Bar("next, in 50 us", 50e-6 / next.median, atLeast: 1))
print(Bar("seek over 500 patches, in 300 us", 300e-6 / seek.median, atLeast: 1))

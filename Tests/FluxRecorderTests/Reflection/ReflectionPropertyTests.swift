import FluxJSON
import Foundation
import TestFixtures
import Testing

@testable import FluxRecorder

/// A value of types that reflection meets, with the JSON that describes it, which is made without reflection.
private struct Described {
  let value: Any
  let json: String
}

private struct Pair {
  let first: Any
  let second: Any?
}

private enum Choice {
  case none
  case one(Any)
  case two(Any, label: Any)
  indirect case nested(Choice)
}

private class Parent {
  let outer: Any

  init(_ outer: Any) { self.outer = outer }
}

private final class Child: Parent {
  let inner: Any

  init(_ outer: Any, _ inner: Any) {
    self.inner = inner
    super.init(outer)
  }
}

private struct Encoded: Encodable {
  let words: [String]
}

/// Fails when it is encoded, after it has written something.
private struct Broken: Encodable {
  let kept: Any

  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode("lost")
    throw CancellationError()
  }
}

@Suite struct ReflectionPropertyTests {
  /// Makes random values, each with its description.
  private struct Maker {
    var random: SeededGenerator

    mutating func make(_ depth: Int) -> Described {
      let kinds = depth > 4 ? 0..<6 : 0..<17
      switch Int.random(in: kinds, using: &random) {
      case 0:
        let number = Int.random(in: -99...99, using: &random)
        return Described(value: number, json: "\(number)")
      case 1: return Described(value: word(), json: "").text { $0 as? String ?? "" }
      case 2: return Described(value: word().dropFirst(), json: "").text { "\($0)" }
      case 3: return Described(value: Bool.random(using: &random), json: "").bare { "\($0)" }
      case 4: return Described(value: Choice.none, json: #"{"none":{}}"#)
      case 5: return Described(value: { () in }, json: #"{"$opaque":"() -> ()"}"#)
      case 6:
        let items = list(depth)
        return Described(value: items.map(\.value), json: array(items))
      case 7:
        let items = list(depth).enumerated().map { ("k\($0.offset)", $0.element) }
        return Described(
          value: Dictionary(uniqueKeysWithValues: items.map { ($0, $1.value) }), json: object(items)
        )
      case 8:
        let (first, second) = (make(depth + 1), make(depth + 1))
        let isThere = Bool.random(using: &random)
        return Described(
          value: Pair(first: first.value, second: isThere ? second.value : nil),
          json: object([("first", first)] + (isThere ? [("second", second)] : [])))
      case 9:
        let (first, second) = (make(depth + 1), make(depth + 1))
        return Described(
          value: Choice.two(first.value, label: second.value),
          json: object([("two", Described(object([("_0", first), ("label", second)])))]))
      case 10:
        let one = make(depth + 1)
        guard !(one.value is (Any, Any)) else { return one }
        return Described(
          value: Choice.nested(.one(one.value)),
          json: #"{"nested":{"_0":{"one":{"_0":\#(one.json)}}}}"#)
      case 11:
        let (outer, inner) = (make(depth + 1), make(depth + 1))
        return Described(
          value: Child(outer.value, inner.value),
          json: object([("inner", inner), ("outer", outer)]))
      case 12:
        let (left, right) = (make(depth + 1), make(depth + 1))
        return Described(
          value: (left: left.value, right: right.value),
          json: object([("left", left), ("right", right)]))
      case 13:
        let words = (0..<3).map { _ in word() }
        return Described(
          value: Encoded(words: words),
          json: #"{"words":[\#(words.map { "\"\($0)\"" }.joined(separator: ","))]}"#)
      case 14:
        let kept = make(depth + 1)
        return Described(value: Broken(kept: kept.value), json: object([("kept", kept)]))
      case 15:
        let wrapped = make(depth + 1)
        return Described(value: Optional(Optional(wrapped.value)) as Any, json: wrapped.json)
      default:
        let words = Set((0..<5).map { _ in word() }).union(["z"])
        return Described(
          value: words, json: "[" + words.sorted().map { "\"\($0)\"" }.joined(separator: ",") + "]")
      }
    }

    private mutating func list(_ depth: Int) -> [Described] {
      (0..<Int.random(in: 0...4, using: &random)).map { _ in make(depth + 1) }
    }

    private mutating func word() -> String {
      String((0..<3).map { _ in "abcdefgh".randomElement(using: &random) ?? "a" })
    }

    private func array(_ items: [Described]) -> String {
      "[\(items.map(\.json).joined(separator: ","))]"
    }

    private func object(_ members: [(String, Described)]) -> String {
      let texts = members.sorted { $0.0 < $1.0 }.map { "\"\($0.0)\":\($0.1.json)" }
      return "{\(texts.joined(separator: ","))}"
    }
  }

  @Test("Random values have the text of their description")
  func randomValues() throws {
    var maker = Maker(random: SeededGenerator())
    for round in 0..<2_000 {
      let described = maker.make(0)
      let found = try ReflectionWalk.text(of: described.value, limit: 100_000)
      let text = String(decoding: found.bytes, as: UTF8.self)
      guard text != described.json else { continue }
      Issue.record("round \(round) of seed \(SeededGenerator.seed): \(text) != \(described.json)")
      return
    }
  }
}

extension Described {
  fileprivate init(_ json: String) { (value, self.json) = ((), json) }

  fileprivate func text(_ words: (Any) -> String) -> Described {
    Described(value: value, json: "\"\(words(value))\"")
  }

  fileprivate func bare(_ words: (Any) -> String) -> Described {
    Described(value: value, json: words(value))
  }
}

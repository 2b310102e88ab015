import FluxJSON
import Foundation
import TestFixtures
import Testing

@testable import FluxCommands
@testable import FluxInspector

/// The pairs of values in the corpora of other projects, whose differences a reader must be able to follow.
@Suite("Differences of the corpora", .enabled(if: Corpora.isPresent))
struct DiffCorpusTests {
  private struct Pair {
    let name: String
    let old: JSON
    let new: JSON
  }

  private static func pairs() throws -> [Pair] {
    var pairs: [Pair] = []
    for file in ["tests", "spec_tests"] {
      let cases = try Corpora.json("json-patch/\(file).json").elements
      for (number, entry) in cases.enumerated() {
        guard let old = entry["doc"], let new = entry["expected"] else { continue }
        pairs.append(Pair(name: "json-patch/\(file) \(number)", old: old, new: new))
      }
    }
    for (number, entry) in try Corpora.json("json-merge-patch/rfc7386-appendix.json").elements
      .enumerated()
    {
      let (old, new) = (try #require(entry["original"]), try #require(entry["result"]))
      pairs.append(Pair(name: "merge-patch \(number)", old: old, new: new))
    }
    for file in ["core", "options"] {
      for entry in try Corpora.json("jd/\(file).json").elements {
        guard let a = entry["content_a"]?.string, let b = entry["content_b"]?.string, !a.isEmpty,
          !b.isEmpty
        else { continue }
        pairs.append(
          Pair(
            name: "jd \(entry["name"]?.text ?? "")", old: try JSON.parse(a), new: try JSON.parse(b))
        )
      }
    }
    let folder = Corpora.folder.appending(path: "redux-devtools")
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
    where file.hasSuffix(".lifted.json") {
      let states = try Corpora.json("redux-devtools/\(file)")["computedStates"]?.elements
        .compactMap { $0["state"] }
      for (number, (old, new)) in zip(states ?? [], (states ?? []).dropFirst()).enumerated() {
        pairs.append(Pair(name: "\(file) \(number)", old: old, new: new))
      }
    }
    return pairs
  }

  @Test("They are empty only for equal values, lead from one to the other, and are not long")
  func readable() throws {
    let pairs = try Self.pairs()
    #expect(pairs.count > 200)
    for pair in pairs {
      let (old, new) = (try Self.model(pair.old), try Self.model(pair.new))
      let entries = ReadableDifference(from: old, to: new).entries
      #expect(entries.isEmpty == (old == new), "\(pair.name)")
      #expect(Followed(entries).value(from: old, at: []) == new, "\(pair.name)")
      let text = try StyledLine.lines { try $0.entries(entries) }.map(\.text)
      let plain = try StyledLine.lines { text in
        for change in old.changes(to: new) { try text.change(StateChange(change)) }
      }.map(\.text)
      #expect(text.isEmpty == (old == new), "\(pair.name)")
      let (count, plainCount) = (Self.count(text), Self.count(plain))
      #expect(count <= 2 * plainCount + 100, "\(pair.name): \(count) and \(plainCount)")
    }
  }

  private static func model(_ state: JSON) throws -> JSON {
    try JSON.parse(#"{"s":\#(state.text)}"#)
  }

  private static func count(_ lines: [String]) -> Int { lines.reduce(0) { $0 + $1.utf8.count } }
}

/// A reader who follows the entries of a difference from the old value to the new one.
private struct Followed {
  private var values: [Pointer: [ValueChange]] = [:]
  private var elements: [Pointer: [ReadableDifference.Element]] = [:]

  init(_ entries: [ReadableDifference.Entry]) {
    for entry in entries {
      switch entry {
      case .value(let value): add(value)
      case .element(let element):
        elements[element.array, default: []].append(element)
        element.changes.forEach { add($0) }
      }
    }
  }

  private mutating func add(_ value: ValueChange) {
    values[Pointer(tokens: value.path.tokens.dropLast()), default: []].append(value)
  }

  func value(from old: JSON, at place: [String]) -> JSON {
    let here = values[Pointer(tokens: place)] ?? []
    switch old.kind {
    case .object: return object(from: old, at: place, here)
    case .array: return array(from: old, at: place, here)
    default: return old
    }
  }

  private func object(
    from old: JSON, at place: [String], _ here: [ValueChange]
  ) -> JSON {
    var members: [(String, JSON)] = []
    for member in old.members {
      let change = here.first { $0.path.tokens.last == member.name }
      if let change {
        if let new = change.new { members.append((member.name, new)) }
      } else {
        members.append((member.name, value(from: member.value, at: place + [member.name])))
      }
    }
    for added in here where added.old == nil {
      if let new = added.new { members.append((added.path.tokens.last ?? "", new)) }
    }
    return JSON(writing: { writer in
      writer.beginObject()
      for (name, value) in members {
        writer.name(name)
        writer.raw(value)
      }
      writer.endObject()
    })
  }

  private func array(
    from old: JSON, at place: [String], _ here: [ValueChange]
  ) -> JSON {
    func index(_ value: ValueChange) -> Int { Int(value.path.tokens.last ?? "") ?? -1 }
    let elements = elements[Pointer(tokens: place)] ?? []
    var removed = Set(elements.filter { $0.kind == .removed }.compactMap(\.from))
    removed.formUnion(here.filter { $0.new == nil }.map(index))
    let moved = elements.filter { $0.kind == .moved }
    let movedFrom = Set(moved.compactMap(\.from))
    /// The new elements whose places are told, and the old elements that moved there.
    var told: [Int: JSON] = [:]
    var from: [Int: Int] = [:]
    for element in elements where element.kind == .added { told[element.to ?? -1] = element.whole }
    for value in here where value.old == nil { told[index(value)] = value.new }
    for element in moved { from[element.to ?? -1] = element.from }
    var rest = (0..<old.count).filter { !removed.contains($0) && !movedFrom.contains($0) }[...]
    let count = rest.count + told.count + from.count
    let result = (0..<count).map { target -> JSON in
      if let value = told[target] { return value }
      if let replaced = here.first(where: { index($0) == target && $0.old != nil && $0.new != nil })
      {
        if from[target] == nil { _ = rest.popFirst() }
        return replaced.new ?? .null
      }
      guard let source = from[target] ?? rest.popFirst(), let element = old[source] else {
        return "nothing is left for this place"
      }
      return value(from: element, at: place + [String(target)])
    }
    return JSON(writing: { writer in
      writer.beginArray()
      for value in result { writer.raw(value) }
      writer.endArray()
    })
  }
}

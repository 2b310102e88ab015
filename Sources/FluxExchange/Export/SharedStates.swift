import FluxJSON
import FluxLog

/// The computed states of an export, in which unchanged parts refer to earlier states.
///
/// `{"$jsan":"$.computedStates[7].state.todos"}` stands for the value at that path. Redux DevTools read a file with jsan,
/// which puts the same object in both places. An element of an array or a member is unchanged if it has the same text as
/// in the state before. References lead to where the text is, never to another reference.
struct SharedStates {
  /// The size from which an unchanged value is a reference, which takes about 50 bytes.
  static let smallest = 256

  /// The place of a value's text, and the inner values whose texts are elsewhere, by name or index.
  private struct Written {
    let place: String
    var elsewhere: [BytewiseName: Written] = [:]

    func part(_ key: String, _ token: String) -> Written {
      elsewhere[BytewiseName(key)] ?? Written(place: place + token)
    }
  }

  private var last: (value: JSON, written: Written)?
  private var count = 0

  /// Writes the next state; nil for one that is undefined.
  mutating func append(_ state: JSON?, error: String? = nil, to output: inout LiftedOutput) {
    output.writer.beginObject()
    let place = Written(place: "$.computedStates[\(count)].state")
    last = state.map { state in
      output.writer.name("state")
      return (state, Self.write(state, at: place, like: last, to: &output))
    }
    count += 1
    output.writer.member("error", error)
    output.writer.endObject()
  }

  /// Writes a value that may be unchanged; returns the place of its text.
  private static func write(
    _ value: JSON, at place: Written, like old: (value: JSON, written: Written)?,
    to output: inout LiftedOutput
  ) -> Written {
    if value.byteCount >= smallest, let old, old.value.kind == value.kind {
      if value.hasSameText(as: old.value) {
        output.reference(to: old.written.place)
        return old.written
      }
      // Tags of the data itself are escaped, and a path cannot name a repeated member.
      if !value.mayHaveTags, !value.hasDuplicateNames, !value.hasEscapedNames,
        !old.value.hasDuplicateNames
      {
        if value.kind == .object { return writeMembers(value, at: place, like: old, to: &output) }
        if value.kind == .array { return writeElements(value, at: place, like: old, to: &output) }
      }
    }
    output.value(value)
    return place
  }

  private static func writeMembers(
    _ value: JSON, at place: Written, like old: (value: JSON, written: Written),
    to output: inout LiftedOutput
  ) -> Written {
    var place = place
    output.writer.beginObject()
    for member in value.members {
      output.writer.name(member.name)
      guard let token = token(of: member.name) else {
        output.value(member.value)
        continue
      }
      let known = old.value[member.name].map { ($0, old.written.part(member.name, token)) }
      let own = place.part(member.name, token)
      let written = write(member.value, at: own, like: known, to: &output)
      if written.place != own.place || !written.elsewhere.isEmpty {
        place.elsewhere[BytewiseName(member.name)] = written
      }
    }
    output.writer.endObject()
    return place
  }

  private static func writeElements(
    _ value: JSON, at place: Written, like old: (value: JSON, written: Written),
    to output: inout LiftedOutput
  ) -> Written {
    let (new, known) = (Array(value.elements), Array(old.value.elements))
    guard new.contains(where: { $0.byteCount >= smallest }) else {
      output.value(value)
      return place
    }
    var tail = 0
    while tail < min(new.count, known.count),
      new[new.count - 1 - tail].hasSameText(as: known[known.count - 1 - tail])
    {
      tail += 1
    }
    var place = place
    output.writer.beginArray()
    for (index, element) in new.enumerated() {
      // Elements before a change keep their index; those after it keep their distance from the end.
      let oldIndex = index < new.count - tail ? index : index - new.count + known.count
      let before = oldIndex < known.count ? known[oldIndex] : nil
      let part = before.map { ($0, old.written.part(String(oldIndex), "[\(oldIndex)]")) }
      let own = place.part(String(index), "[\(index)]")
      let written = write(element, at: own, like: part, to: &output)
      if written.place != own.place || !written.elsewhere.isEmpty {
        place.elsewhere[BytewiseName(String(index))] = written
      }
    }
    output.writer.endArray()
    return place
  }

  /// Returns the part of a path for a member; nil if jsan cannot read it.
  private static func token(of name: String) -> String? {
    guard !name.isEmpty else { return nil }
    if JSANReferences.isWord(name) { return ".\(name)" }
    let isQuotable = name.utf8.allSatisfy { byte in
      byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
    return isQuotable ? "[\"\(name)\"]" : nil
  }
}

extension JSON {
  /// `true` if a name of an object is written with escapes, which may be halves of surrogate pairs.
  fileprivate var hasEscapedNames: Bool {
    guard kind == .object else { return false }
    return document.withTape { tape in
      var name = place + 1
      while name < Int(tape[place].next) {
        if tape[name].has(JSONNode.escaped) { return true }
        name = Int(tape[name + 1].next)
      }
      return false
    }
  }

  fileprivate func hasSameText(as other: JSON) -> Bool {
    guard byteCount == other.byteCount else { return false }
    return unsafe withBytes { left in unsafe other.withBytes { unsafe $0.equals(left) } }
  }
}

import FluxJSON

/// Reads the outline of step lines by parsing them.
///
/// For lines without a sum, which people or other tools wrote. They are validated as JSON; their
/// members may have any order, and blanks may separate them. Returns `nil` for a line that is
/// invalid or unusual; such a line has to be read member by member.
///
/// Reuses its memory from line to line.
struct ParsedOutlineReader: ~Copyable {
  private var nodes = JSONTapeBuffer()
  /// All stores that the last line writes, in the order of ``StepShape``.
  private(set) var writes: [OutlinedWrite] = []

  /// Longer lines are not read here, which limits the memory that is kept.
  private static let longestLine = 1 << 20

  /// Reads the line in a range of the bytes; ranges in the outline refer to `bytes`.
  mutating func outline(_ bytes: JSONBytes, _ text: Range<Int>) -> StepOutline? {
    guard text.count <= Self.longestLine else { return nil }
    // The slice is bounds-checked and is used only in this call.
    let line = unsafe JSONBytes(bytes.slice(text.lowerBound, text.upperBound))
    do throws(JSONError) {
      try JSONParser.parse(line, into: &nodes)
    } catch {
      // The caller finds out what is wrong with the line.
      return nil
    }
    return outline(ParsedLine(tape: nodes.tape(over: line), start: text.lowerBound))
  }

  private mutating func outline(_ line: ParsedLine) -> StepOutline? {
    guard line.kind(0) == .object, !line.repeatsNames else { return nil }
    var members = StepMembers()
    var name = 1
    while name < line.end(0) {
      guard let text = line.name(name), members.take(text, name + 1, line) else { return nil }
      name = line.end(name + 1)
    }
    writes.removeAll(keepingCapacity: true)
    guard let number = members.number, let time = members.time, let type = members.type,
      appendStores(line, members.states, .whole), appendStores(line, members.patches, .patch),
      appendRemovals(line, members.removed)
    else { return nil }
    return StepOutline(number: number, time: time, type: type, cause: members.cause)
  }

  /// Appends the names of an object's members; a patch has to be an array.
  private mutating func appendStores(
    _ line: ParsedLine, _ object: Int?, _ kind: WriteKind
  ) -> Bool {
    guard let object else { return true }
    guard line.kind(object) == .object else { return false }
    var name = object + 1
    while name < line.end(object) {
      guard let place = line.string(name), kind != .patch || line.kind(name + 1) == .array else {
        return false
      }
      writes.append(OutlinedWrite(name: place, kind: kind))
      name = line.end(name + 1)
    }
    return true
  }

  /// Appends the elements of an array of names.
  private mutating func appendRemovals(_ line: ParsedLine, _ array: Int?) -> Bool {
    guard let array else { return true }
    guard line.kind(array) == .array else { return false }
    var element = array + 1
    while element < line.end(array) {
      guard let place = line.string(element) else { return false }
      writes.append(OutlinedWrite(name: place, kind: .removal))
      element = line.end(element)
    }
    return true
  }
}

/// The members of a step line that the index needs.
private struct StepMembers {
  var number: UInt64?
  var time: UInt64?
  var type: Range<Int>?
  var cause: UInt64?
  // Places on the tape.
  var states: Int?
  var patches: Int?
  var removed: Int?

  /// Reads a member; returns `false` if it has the wrong type or is unusual.
  mutating func take(_ name: String, _ value: Int, _ line: ParsedLine) -> Bool {
    switch name {
    case "n":
      number = line.wholeNumber(value)
      return number != nil
    case "t":
      time = line.microseconds(value)
      return time != nil
    case "action":
      type = line.stringMember("type", of: value)
      return type != nil
    case "states": states = value
    case "patches": patches = value
    case "removed": removed = value
    case "cause":
      cause = line.wholeNumber(value)
      return cause != nil
    case "took": return line.wholeNumber(value) != nil
    case "target", "effect", "from", "at": return line.kind(value) == .string
    case "sum", "rejected": return false
    // Unknown to this version of the format, and ignored.
    default: break
    }
    return true
  }
}

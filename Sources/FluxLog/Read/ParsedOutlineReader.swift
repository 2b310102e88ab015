/// Reads the outline of step lines that are not as writers write them, by parsing them.
///
/// For lines without a sum, of other tools or written by hand: they are checked to be JSON, and
/// their members may stand in any order, with blanks between them. What needs a closer look, or is
/// wrong, gives nil, and the line is read member by member instead.
///
/// Keeps its memory from one line to the next.
struct ParsedOutlineReader: ~Copyable {
  private var nodes = JSONTapeBuffer()
  /// All stores that the line read last writes, in the order of ``StepShape``.
  private(set) var writes: [OutlinedWrite] = []

  /// Longer lines are left, so that the memory that is kept has a limit.
  private static let longestLine = 1 << 20

  /// Reads the line that is that range of the bytes; places in the outline are those in `bytes`.
  mutating func outline(_ bytes: JSONBytes, _ text: Range<Int>) -> StepOutline? {
    guard text.count <= Self.longestLine else { return nil }
    // Within the bytes, which the slice checks, and used in this call only.
    let line = unsafe JSONBytes(bytes.slice(text.lowerBound, text.upperBound))
    do throws(JSONError) {
      try JSONParser.parse(line, into: &nodes)
    } catch {
      // What is wrong with the line is for others to say.
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

  /// Notes the names of an object's members; of patches, each has to be an array.
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

  /// Notes the elements of an array of names.
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

/// The members of a step line that the index wants to know of.
private struct StepMembers {
  var number: UInt64?
  var time: UInt64?
  var type: Range<Int>?
  var cause: UInt64?
  // Where these stand on the tape.
  var states: Int?
  var patches: Int?
  var removed: Int?

  /// Takes a member in; false where it has to be looked at more closely, or is of a wrong type.
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
    // Not known to this version of the format, and of no meaning to it.
    default: break
    }
    return true
  }
}

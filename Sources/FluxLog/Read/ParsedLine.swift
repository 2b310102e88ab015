/// A line that is parsed, and what its values say where that can be told at a glance.
struct ParsedLine {
  private let tape: JSONTape
  /// Where the line begins in the bytes whose places are told.
  private let start: Int

  init(tape: JSONTape, start: Int) {
    self.tape = tape
    self.start = start
  }

  /// Whether an object anywhere in the line names a member twice.
  var repeatsNames: Bool { tape[0].has(JSONNode.holdsRepeat) }

  func kind(_ value: Int) -> JSON.Kind { tape[value].kind }

  /// The place on the tape after a value.
  func end(_ value: Int) -> Int { Int(tape[value].next) }

  /// The name of a member; nil where it has escapes.
  func name(_ place: Int) -> String? {
    guard !tape[place].has(JSONNode.escaped) else { return nil }
    return unsafe String(decoding: tape.content(place), as: UTF8.self)
  }

  /// Where a string stands, between its quotes; nil where it has escapes, or is none.
  func string(_ value: Int) -> Range<Int>? {
    let node = tape[value]
    guard node.kind == .string, !node.has(JSONNode.escaped) else { return nil }
    return start + Int(node.start) + 1..<start + Int(node.end) - 1
  }

  /// Where the string of an object's member stands; nil where a name before it has escapes.
  func stringMember(_ wanted: String, of object: Int) -> Range<Int>? {
    guard kind(object) == .object else { return nil }
    var place = object + 1
    while place < end(object) {
      guard let name = name(place) else { return nil }
      if name == wanted { return string(place + 1) }
      place = end(place + 1)
    }
    return nil
  }

  /// A number of up to eighteen digits and nothing else.
  func wholeNumber(_ value: Int) -> UInt64? {
    guard kind(value) == .number else { return nil }
    let text = unsafe tape.span(value)
    return unsafe text.count <= 18 ? text.wholeNumber : nil
  }

  /// Seconds as microseconds.
  func microseconds(_ value: Int) -> UInt64? {
    guard kind(value) == .number else { return nil }
    let text = unsafe tape.span(value)
    return unsafe text.microseconds
      ?? LogTime(seconds: String(decoding: text, as: UTF8.self))?.microseconds
  }
}

extension UnsafeRawBufferPointer {
  /// The number that the bytes are as digits; nil where one of them is none.
  fileprivate var wholeNumber: UInt64? {
    var number: UInt64 = 0
    for place in 0..<count {
      let digit = unsafe self[place] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number &* 10 &+ UInt64(digit)
    }
    return number
  }

  /// Microseconds in seconds with a point and up to six decimals; nil for all else.
  fileprivate var microseconds: UInt64? {
    guard count <= 18, let point = unsafe firstIndex(of: UInt8(ascii: ".")) else {
      return nil
    }
    let decimals = count - point - 1
    guard decimals <= 6, point <= 11,
      let whole = unsafe UnsafeRawBufferPointer(rebasing: self[..<point]).wholeNumber,
      let part = unsafe UnsafeRawBufferPointer(rebasing: self[(point + 1)...]).wholeNumber
    else { return nil }
    return (decimals..<6).reduce(part) { part, _ in part * 10 } + whole * 1_000_000
  }
}

import FluxJSON

/// A parsed line, with accessors for values that need no decoding.
struct ParsedLine {
  private let tape: JSONTape
  /// The offset of the line in the bytes that results refer to.
  private let start: Int

  init(tape: JSONTape, start: Int) {
    self.tape = tape
    self.start = start
  }

  /// `true` if any object in the line has two members with the same name.
  var repeatsNames: Bool { tape[0].has(JSONNode.holdsRepeat) }

  func kind(_ value: Int) -> JSON.Kind { tape[value].kind }

  /// Returns the place on the tape after a value.
  func end(_ value: Int) -> Int { Int(tape[value].next) }

  /// Returns the name of a member; `nil` if it has escapes.
  func name(_ place: Int) -> String? {
    guard !tape[place].has(JSONNode.escaped) else { return nil }
    return unsafe String(decoding: tape.content(place), as: UTF8.self)
  }

  /// Returns the range of a string between its quotes; `nil` if it has escapes, or if the value is
  /// not a string.
  func string(_ value: Int) -> Range<Int>? {
    let node = tape[value]
    guard node.kind == .string, !node.has(JSONNode.escaped) else { return nil }
    return start + Int(node.start) + 1..<start + Int(node.end) - 1
  }

  /// Returns the range of an object's string member; `nil` if a name before it has escapes.
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

  /// Returns a number of at most eighteen digits; `nil` for any other value.
  func wholeNumber(_ value: Int) -> UInt64? {
    guard kind(value) == .number else { return nil }
    let text = unsafe tape.span(value)
    return unsafe text.count <= 18 ? text.wholeNumber : nil
  }

  /// Returns seconds as microseconds; `nil` if the value is not a time.
  func microseconds(_ value: Int) -> UInt64? {
    guard kind(value) == .number else { return nil }
    let text = unsafe tape.span(value)
    return unsafe text.microseconds
      ?? LogTime(seconds: String(decoding: text, as: UTF8.self))?.microseconds
  }
}

extension UnsafeRawBufferPointer {
  /// The number that the digits stand for; `nil` if a byte is not a digit.
  fileprivate var wholeNumber: UInt64? {
    var number: UInt64 = 0
    for place in 0..<count {
      let digit = unsafe self[place] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number &* 10 &+ UInt64(digit)
    }
    return number
  }

  /// Seconds with a decimal point and up to six decimals, as microseconds; `nil` for any other
  /// text.
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

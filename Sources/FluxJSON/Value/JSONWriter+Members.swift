extension JSONWriter {
  /// Writes a string member, or nothing if `string` is nil.
  package mutating func member(_ name: String, _ string: String?) {
    guard let string else { return }
    self.name(name)
    self.string(string)
  }

  /// Writes a number member, or nothing if `number` is nil.
  package mutating func member(_ name: String, _ number: UInt64?) {
    guard let number else { return }
    self.name(name)
    uint(number)
  }

  /// Writes a member, or nothing if `json` is nil.
  package mutating func member(_ name: String, _ json: JSON?) {
    guard let json else { return }
    self.name(name)
    raw(json)
  }

  /// Writes an array of strings.
  package mutating func strings(_ strings: some Sequence<String>) {
    beginArray()
    for string in strings { self.string(string) }
    endArray()
  }
}

extension JSONWriter {
  /// Writes a member that is a string, where there is one.
  package mutating func member(_ name: String, _ string: String?) {
    guard let string else { return }
    self.name(name)
    self.string(string)
  }

  /// Writes a member that is a number, where there is one.
  package mutating func member(_ name: String, _ number: UInt64?) {
    guard let number else { return }
    self.name(name)
    uint(number)
  }

  /// Writes a member, where there is one.
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

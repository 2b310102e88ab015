import FluxJSON

/// The members of an answer, in the order in which they are set.
struct AnswerMembers {
  /// The largest value that an answer contains whole.
  static let largestValue = 4096

  private var container: KeyedEncodingContainer<LogKey>

  init(_ encoder: any Encoder) { container = encoder.container(keyedBy: LogKey.self) }

  mutating func set(_ name: String, _ value: some Encodable) throws {
    try container.encode(value, forKey: LogKey(stringValue: name))
  }

  mutating func set(_ name: String, ifPresent value: (some Encodable)?) throws {
    if let value { try set(name, value) }
  }

  /// Sets `true`, or leaves the member out.
  mutating func set(_ name: String, ifTrue flag: Bool) throws {
    if flag { try set(name, true) }
  }

  /// Sets a value, or a summary of it under a name with `Cut` if it is large: `{"kind","count","bytes","preview"}`.
  mutating func setValue(_ name: String, _ value: JSON?) throws {
    guard let value else { return }
    guard value.byteCount > Self.largestValue else { return try set(name, value) }
    try set(
      name + "Cut",
      Answer { members in
        try members.set("kind", value.kindName)
        let length = value.string?.unicodeScalars.count ?? value.byteCount
        try members.set("count", value.isContainer ? value.count : length)
        try members.set("bytes", value.byteCount)
        try members.set("preview", value.excerpt(200))
      })
  }
}

extension JSON {
  /// The kind as the page names it: `true` and `false` are separate kinds.
  var kindName: String {
    bool.map { "\($0)" } ?? "\(kind)"
  }
}

/// A list of rows with members around it, whose parts are encoded by closures.
///
/// Answers differ in a member or two, so each is composed where it is made.
struct Answer: Encodable {
  let write: (inout AnswerMembers) throws -> Void

  init(_ write: @escaping (inout AnswerMembers) throws -> Void) { self.write = write }

  /// Makes a row of some kind, with more members.
  init(row: Int, _ kind: String, _ write: @escaping (inout AnswerMembers) throws -> Void) {
    self.init { members in
      try members.set("row", row)
      try members.set("kind", kind)
      try write(&members)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var members = AnswerMembers(encoder)
    try write(&members)
  }
}

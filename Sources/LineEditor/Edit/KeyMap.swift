/// What libedit is told for each key.
///
/// libedit looks up single characters below 256, and takes longer sequences apart by itself: then
/// an escape waits for the next key in vi, and an arrow leaves `[C` in a search. So sequences never
/// reach it: each key of one has a number of its own among the C1 control characters (0x80 to
/// 0x9F), which no keyboard sends, and libedit has those bound in every map.
struct KeyMap {
  /// What a number stands for.
  enum Meaning: Equatable {
    /// A command of libedit.
    case command(String)
    /// Something of ours: the editor knows what.
    case program
  }

  private(set) var meanings: [UInt32: Meaning] = [:]
  private var keys: [Key: UInt32] = [:]
  private var keysOnEmptyLine: [Key: UInt32] = [:]
  private var nextNumber: UInt32 = 0x80

  /// Keys that the user has bound: their sequences are libedit's.
  var usersKeys: Set<Key> = []

  /// Accepts the line.
  let accept: UInt32
  /// Inserts what was pasted.
  let paste: UInt32

  /// The keys that every line has.
  private static let standard: [(Key, String)] = [
    (Key(.up), "ed-prev-history"), (Key(.down), "ed-next-history"),
    (Key(.left), "ed-prev-char"), (Key(.right), "ed-next-char"),
    (Key(.home), "ed-move-to-beg"), (Key(.end), "ed-move-to-end"),
    (Key(.delete), "ed-delete-next-char"),
    (Key(.left, .control), "ed-prev-word"), (Key(.right, .control), "em-next-word"),
  ]

  init() {
    accept = 0x80
    paste = 0x81
    meanings = [accept: .command("ed-newline"), paste: .program]
    nextNumber = 0x82
    for (key, command) in Self.standard {
      keys[key] = take(.command(command))
    }
  }

  /// Gives a key to the program, and returns its number.
  mutating func bind(_ key: Key, onEmptyLine: Bool) -> UInt32 {
    if onEmptyLine {
      let number = keysOnEmptyLine[key] ?? take(.program)
      keysOnEmptyLine[key] = number
      return number
    }
    // A control character is bound as it is, so that the user can bind it to something else.
    if let byte = key.controlByte {
      meanings[UInt32(byte)] = .program
      return UInt32(byte)
    }
    if let number = keys[key], meanings[number] == .program { return number }
    let number = take(.program)
    keys[key] = number
    return number
  }

  private mutating func take(_ meaning: Meaning) -> UInt32 {
    precondition(nextNumber < 0xA0, "a line editor has no more than 32 keys of its own")
    defer { nextNumber += 1 }
    meanings[nextNumber] = meaning
    return nextNumber
  }

  /// What libedit is told for a key: a number of ours, the key itself, or nothing where it has no
  /// meaning and would be typed into the line as its sequence.
  func scalars(for press: KeyPress, lineIsEmpty: Bool, isSearching: Bool) -> [UInt32] {
    let isUsers = usersKeys.contains(press.key) && !isSearching
    if !isUsers {
      if lineIsEmpty, let number = keysOnEmptyLine[press.key] { return [number] }
      if let number = keys[press.key] { return [number] }
      if Self.isSequence(press) { return [] }
    }
    if case .character(let scalar) = press.key.name, press.key.modifiers.isEmpty {
      return [scalar.value]
    }
    return String(decoding: press.bytes, as: UTF8.self).unicodeScalars.map(\.value)
  }

  /// Whether the key came as more than itself, or itself with alt.
  private static func isSequence(_ press: KeyPress) -> Bool {
    switch press.key.name {
    case .character, .enter, .backspace, .tab, .escape: press.key.modifiers.contains(.shift)
    default: true
    }
  }
}

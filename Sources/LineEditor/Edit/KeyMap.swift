/// Maps keys to the scalars that libedit gets for them.
///
/// libedit looks up single characters below 256 and parses longer sequences itself. Its parser makes an escape
/// wait for the next key in vi, and lets an arrow leave `[C` in a search. So libedit never sees a sequence:
/// each such key has a number among the C1 control characters (0x80 to 0x9F), which no keyboard sends. These
/// numbers are bound in every map of libedit.
struct KeyMap {
  enum Meaning: Equatable {
    /// A command of libedit.
    case command(String)
    /// An action of the program, which the editor looks up.
    case program
  }

  /// The number that accepts the line.
  static let accept: UInt32 = 0x80
  /// The number that inserts pasted text.
  static let paste: UInt32 = 0x81

  private(set) var meanings: [UInt32: Meaning] = [accept: .command("ed-newline"), paste: .program]
  private var keys: [Key: UInt32] = [:]
  private var keysOnEmptyLine: [Key: UInt32] = [:]
  private var nextNumber: UInt32 = 0x82

  /// The keys that the user has bound; libedit handles their sequences.
  var usersKeys: Set<Key> = []

  /// The keys that every editor binds.
  private static let standard: [(Key, String)] = [
    (Key(.up), "ed-prev-history"), (Key(.down), "ed-next-history"),
    (Key(.left), "ed-prev-char"), (Key(.right), "ed-next-char"),
    (Key(.home), "ed-move-to-beg"), (Key(.end), "ed-move-to-end"),
    (Key(.delete), "ed-delete-next-char"),
    (Key(.left, .control), "ed-prev-word"), (Key(.right, .control), "em-next-word"),
  ]

  /// The control characters that search the history, as in other shells.
  private static let searches: [(UInt32, String)] = [
    (0x12, "em-inc-search-prev"), (0x13, "em-inc-search-next"),
  ]

  init() {
    for (byte, command) in Self.searches { meanings[byte] = .command(command) }
    for (key, command) in Self.standard { keys[key] = take(.command(command)) }
  }

  /// Binds a key to the program and returns its number.
  mutating func bind(_ key: Key, onEmptyLine: Bool) -> UInt32 {
    if onEmptyLine {
      let number = keysOnEmptyLine[key] ?? take(.program)
      keysOnEmptyLine[key] = number
      return number
    }
    // Control characters are bound directly, so that the user can rebind them.
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
    precondition(
      nextNumber < 0xA0, "A line editor can bind at most 32 keys that are not control characters")
    defer { nextNumber += 1 }
    meanings[nextNumber] = meaning
    return nextNumber
  }

  /// Returns the scalars for a key: a number, the key itself, or none.
  ///
  /// A key without a meaning gets none, because libedit would insert its sequence into the line.
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

  /// `true` if the terminal sends more for the key than a character, optionally with alt.
  private static func isSequence(_ press: KeyPress) -> Bool {
    switch press.key.name {
    case .character, .enter, .backspace, .tab, .escape: press.key.modifiers.contains(.shift)
    default: true
    }
  }
}

/// The effect of a key that the program has bound.
package enum KeyAction: Equatable, Sendable {
  case none
  case replace(EditedLine)
  /// Replaces the line with a text and accepts it as if it had been typed.
  case accept(String)
  /// Asks for the prompt again; the line stays.
  case refreshPrompt
  /// Rings the bell: the key has no meaning here.
  case beep
}

/// A key of the keyboard with its modifiers.
package struct Key: Hashable, Sendable {
  package enum Name: Hashable, Sendable {
    case character(Unicode.Scalar)
    case up, down, left, right, home, end, pageUp, pageDown, insert, delete
    case backspace, tab, enter, escape
    /// A function key, counted from F1.
    case function(Int)
    /// The mark that a terminal sends before pasted text.
    case pasteStart
    /// A button or the wheel of the mouse, at a cell of the screen.
    case mouse(Mouse)
    /// A sequence that is not a known key.
    case unknown
  }

  /// An event of the mouse; the row and the column count from 0.
  package struct Mouse: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      /// The left button was pressed.
      case press
      case wheelUp, wheelDown
      /// Another button, or the end of a press.
      case other
    }

    package var kind: Kind
    package var row: Int
    package var column: Int

    package init(_ kind: Kind, row: Int, column: Int) {
      (self.kind, self.row, self.column) = (kind, row, column)
    }
  }

  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }

  package var name: Name
  package var modifiers: Modifiers

  package init(_ name: Name, _ modifiers: Modifiers = []) {
    self.name = name
    self.modifiers = modifiers
  }

  package static func character(_ scalar: Unicode.Scalar) -> Key { Key(.character(scalar)) }

  package static func control(_ scalar: Unicode.Scalar) -> Key {
    Key(.character(scalar), .control)
  }

  package static func alt(_ scalar: Unicode.Scalar) -> Key { Key(.character(scalar), .alt) }

  /// The byte that a terminal sends for the key; nil if it is not a control character.
  var controlByte: UInt8? {
    switch (name, modifiers) {
    case (.tab, []): 0x09
    case (.backspace, []): 0x7F
    case (.character(let scalar), .control) where (0x40..<0x80).contains(scalar.value):
      UInt8(truncatingIfNeeded: scalar.value & 0x1F)
    default: nil
    }
  }
}

/// A key with the bytes that the terminal sent for it.
package struct KeyPress: Equatable, Sendable {
  package var key: Key
  package var bytes: [UInt8]
}

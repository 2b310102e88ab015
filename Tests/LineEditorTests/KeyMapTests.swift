import Testing

@testable import LineEditor

@Suite("Key map")
struct KeyMapTests {
  private func scalars(
    _ map: KeyMap, _ key: Key, _ text: String, lineIsEmpty: Bool = false, isSearching: Bool = false
  ) -> [UInt32] {
    map.scalars(
      for: KeyPress(key: key, bytes: Array(text.utf8)), lineIsEmpty: lineIsEmpty,
      isSearching: isSearching)
  }

  @Test("gives each key of a sequence one number, and characters themselves")
  func givesNumbers() {
    let map = KeyMap()
    #expect(scalars(map, .character("é"), "é") == [0xE9])
    #expect(scalars(map, .control("a"), "\u{1}") == [1])
    #expect(scalars(map, .alt("b"), "\u{1B}b") == [0x1B, 0x62])
    #expect(scalars(map, Key(.escape), "\u{1B}") == [0x1B])
    let up = scalars(map, Key(.up), "\u{1B}[A")
    #expect(up.count == 1)
    #expect(up.allSatisfy { map.meanings[$0] == .command("ed-prev-history") })
  }

  @Test("drops keys that mean nothing, which would be typed as their sequence")
  func dropsUnknown() {
    let map = KeyMap()
    #expect(scalars(map, Key(.unknown), "\u{1B}[?1c") == [])
    #expect(scalars(map, Key(.function(7)), "\u{1B}[18~") == [])
    #expect(scalars(map, Key(.up, .shift), "\u{1B}[1;2A") == [])
    #expect(scalars(map, Key(.tab, .shift), "\u{1B}[Z") == [])
  }

  @Test("prefers the program's key on an empty line, and the user's outside of a search")
  func prefers() {
    var map = KeyMap()
    let back = map.bind(Key(.left), onEmptyLine: true)
    #expect(scalars(map, Key(.left), "\u{1B}[D", lineIsEmpty: true) == [back])
    #expect(scalars(map, Key(.left), "\u{1B}[D") != [back])
    #expect(map.meanings[back] == .program)

    map.usersKeys = [Key(.left)]
    #expect(scalars(map, Key(.left), "\u{1B}[D") == [0x1B, 0x5B, 0x44])
    #expect(scalars(map, Key(.left), "\u{1B}[D", lineIsEmpty: true) == [0x1B, 0x5B, 0x44])
    #expect(scalars(map, Key(.left), "\u{1B}[D", isSearching: true).count == 1)
  }

  @Test("binds control characters as they are, and a key twice as once")
  func binds() {
    var map = KeyMap()
    #expect(map.bind(Key(.tab), onEmptyLine: false) == 9)
    #expect(map.bind(.control("t"), onEmptyLine: false) == 0x14)
    let first = map.bind(Key(.pageUp), onEmptyLine: false)
    #expect(map.bind(Key(.pageUp), onEmptyLine: false) == first)
    let empty = map.bind(Key(.pageUp), onEmptyLine: true)
    #expect(empty != first)
    #expect(map.bind(Key(.pageUp), onEmptyLine: true) == empty)
  }
}

import FluxJSON
import Testing

@testable import FluxLog

@Suite struct StoreEffectsTests {
  @Test("Names that begin with a mark are escaped, and read back")
  func escapes() {
    var effects = StoreEffects(store: "todos")
    for name in ["save", "-save", "+save", "--", "", "-\u{301}x", "a-b"] { effects.start(name) }
    for name in ["save", "-save", "+save", ""] { effects.cancel(name) }
    #expect(
      effects.names == [
        "save", "+-save", "++save", "+--", "", "+-\u{301}x", "a-b", "-save", "--save", "-+save",
        "-",
      ])
    #expect(effects.started == ["save", "-save", "+save", "--", "", "-\u{301}x", "a-b"])
    #expect(effects.cancelled == ["save", "-save", "+save", ""])
  }

  @Test("Names are compared byte by byte")
  func comparison() {
    let composed = [StoreEffects(store: "a", names: ["caf\u{E9}"])]
    let decomposed = [StoreEffects(store: "a", names: ["cafe\u{301}"])]
    #expect(composed == composed)
    #expect(composed != decomposed)
    #expect(composed.hasStart(of: "caf\u{E9}"))
    #expect(!composed.hasStart(of: "cafe\u{301}"))
    #expect(
      StoreEffects(store: "\u{E9}", names: []) != StoreEffects(store: "e\u{301}", names: []))
  }

  @Test("The JSON of a list has the form of a line, and there is none for an empty list")
  func json() {
    let effects = [
      StoreEffects(store: "b", names: ["x", "-y"]), StoreEffects(store: "a", names: []),
    ]
    #expect(effects.json?.text == #"{"b":["x","-y"],"a":[]}"#)
    #expect([StoreEffects]().json == JSON?.none)
  }
}

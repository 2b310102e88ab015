import FluxLog
import Testing

@Suite struct StoreDictionaryTests {
  private static let one = "caf\u{E9}"
  private static let two = "cafe\u{301}"

  @Test("Canonically equivalent names are different keys")
  func alike() {
    var values: StoreDictionary<Int> = [Self.one: 1, Self.two: 2, "a": 3]
    #expect(values.count == 3)
    #expect(values[Self.one] == 1 && values[Self.two] == 2)
    values[Self.two] = 4
    #expect(values.compactMapValues { $0 > 1 ? $0 : nil } == [Self.two: 4, "a": 3])
    #expect(values.filter { _, value in value == 1 } == [Self.one: 1])
    #expect(values.removeValue(forKey: Self.one) == 1)
    #expect(values == [Self.two: 4, "a": 3])
    #expect(values != [Self.one: 4, "a": 3])
  }

  @Test("The order is that of the bytes")
  func order() {
    let values: StoreDictionary<Int> = [Self.one: 1, Self.two: 2, "cafz": 3, "a": 4]
    let names = values.ordered.map { Array($0.key.unicodeScalars.suffix(1)) }
    #expect(names == [["a"], ["\u{301}"], ["z"], ["\u{E9}"]])
    #expect(values.ordered.map(\.value) == [4, 2, 3, 1])
    #expect(Set(values.map(\.value)) == [1, 2, 3, 4])
  }
}

import Testing

@testable import FluxLog

@Suite struct JSONViewTests {
  @Test("One parser reads one text after the other, and values outlive it")
  func lines() throws {
    var parser = JSONViewParser()
    var kept: [JSON] = []
    for number in 0..<100 {
      let padding = String(repeating: "1,", count: number)
      let text = #"{"n":\#(number),"s":"a\nb","flag":true,"list":[\#(padding)null],"n":7.0}"#
      let seen: (Int?, [String], String?, Bool?) = try unsafe Array(text.utf8).withUnsafeBytes {
        try unsafe parser.parse($0) { view in
          var names: [String] = []
          view.forEachMember(of: view.root) { name, _ in names.append(name) }
          let list = view.member("list", of: view.root)
          if let list, let json = try? view.json(at: list) { kept.append(json) }
          return (
            view.member("n", of: view.root).flatMap { view.integer(Int.self, at: $0) }, names,
            view.member("s", of: view.root).flatMap { view.string(at: $0) },
            view.member("flag", of: view.root).flatMap { view.bool(at: $0) }
          )
        }
      }
      #expect(seen.0 == 7)
      #expect(seen.1 == ["n", "s", "flag", "list", "n"])
      #expect(seen.2 == "a\nb")
      #expect(seen.3 == true)
    }
    #expect(kept.map(\.count) == (1...100).map { $0 })
    #expect(kept.allSatisfy { $0.elements.map(\.kind).last == .null })
  }

  @Test("After a text that is refused, the parser reads the next one")
  func afterError() throws {
    var parser = JSONViewParser()
    let texts = ["[1,2", "[1,2]", "[[[", "3"]
    let counts = texts.map { text -> Int? in
      unsafe Array(text.utf8).withUnsafeBytes { bytes in
        try? unsafe parser.parse(bytes) { view in
          var count = 0
          view.forEachElement(of: view.root) { _ in count += 1 }
          return count
        }
      }
    }
    #expect(counts == [nil, 2, nil, 0])
  }
}

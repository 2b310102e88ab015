import Testing

@testable import FluxReplay

@Suite struct MinimalSubsequenceTests {
  private func shrink(
    _ count: Int, _ test: @escaping ([Int]) -> Bool
  ) throws -> (found: Bool, search: MinimalSubsequence) {
    var search = MinimalSubsequence(count: count, test: test)
    return (try search.search(), search)
  }

  @Test(
    "three of a thousand that matter are found in less than three hundred runs",
    arguments: [
      [0, 1, 2], [997, 998, 999], [0, 500, 999], [3, 9, 17], [333, 334, 900], [1, 250, 251],
      [128, 256, 512],
    ])
  func few(_ needed: [Int]) throws {
    let (found, search) = try shrink(1000) { kept in needed.allSatisfy { kept.contains($0) } }
    #expect(found && search.isMinimal)
    #expect(search.best == needed)
    #expect(search.runs <= 100)
  }

  @Test("if every element is needed, none is left out, in a few runs each")
  func all() throws {
    let (found, search) = try shrink(200) { $0.count == 200 }
    #expect(found && search.isMinimal)
    #expect(search.best == Array(0..<200))
    #expect(search.runs <= 600)
  }

  @Test("if no element is needed, none is left")
  func none() throws {
    let (found, search) = try shrink(50) { _ in true }
    #expect(found && search.isMinimal)
    #expect(search.best == [])
    #expect(try shrink(0) { _ in true }.search.best == [])
  }

  @Test("if all elements together fail, there is no search")
  func never() throws {
    let (found, search) = try shrink(50) { _ in false }
    #expect(!found && !search.isMinimal)
    #expect(search.runs == 1)
  }

  @Test("every result passes, and fails with any single element left out")
  func minimal() throws {
    var random = SeededNumbers()
    for round in 0..<200 {
      let count = Int(random.next() % 40) + 1
      let (a, b, c) = (Int(random.next() % 40), Int(random.next() % 40), Int(random.next() % 5) + 1)
      // Not monotone: some tests pass with few and with many elements, and fail in between.
      let test: ([Int]) -> Bool = { kept in
        switch round % 4 {
        case 0: kept.count % c == count % c
        case 1: kept.contains(a % count) && !kept.contains(b % count) || kept.count == count
        case 2: kept.reduce(0, +) % (c + 1) == (0..<count).reduce(0, +) % (c + 1)
        default: kept.contains(a % count) || kept.contains(b % count) && kept.count > c
        }
      }
      let (found, search) = try shrink(count, test)
      #expect(found == test(Array(0..<count)), "round \(round), seed \(random.seed)")
      guard found else { continue }
      #expect(search.isMinimal && test(search.best), "round \(round), seed \(random.seed)")
      for place in search.best.indices {
        var shorter = search.best
        shorter.remove(at: place)
        #expect(!test(shorter), "round \(round), seed \(random.seed)")
      }
    }
  }

  @Test("a search that is ended returns the best subsequence so far")
  func ended() throws {
    let whole = try shrink(1000) { kept in kept.contains(3) && kept.contains(700) }.search
    #expect(whole.best == [3, 700])
    for limit in 1...whole.runs {
      var search = MinimalSubsequence(
        count: 1000, goesOn: { runs, _ in runs < limit },
        test: { kept in kept.contains(3) && kept.contains(700) })
      #expect(try search.search())
      #expect(search.runs <= limit)
      #expect(search.best.contains(3) && search.best.contains(700))
      #expect(search.isMinimal == (limit == whole.runs))
    }
  }
}

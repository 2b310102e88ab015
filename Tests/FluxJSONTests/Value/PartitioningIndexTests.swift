import Testing

@testable import FluxJSON

@Suite struct PartitioningIndexTests {
  @Test("the first element of the second partition is found at every place", arguments: 0...20)
  func everyPlace(_ count: Int) {
    for place in 0...count {
      let flags = (0..<count).map { $0 >= place }
      #expect(flags.partitioningIndex { $0 } == place)
      #expect((0..<count).partitioningIndex { $0 >= place } == place)
    }
  }

  @Test("an error of the predicate ends the search")
  func failure() {
    struct Unreadable: Error, Equatable {}
    #expect(throws: Unreadable()) {
      try (0..<8).partitioningIndex { (_: Int) throws(Unreadable) -> Bool in throw Unreadable() }
    }
  }
}

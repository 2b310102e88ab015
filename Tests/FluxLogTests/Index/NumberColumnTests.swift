import Testing

@testable import FluxLog

@Suite struct NumberColumnTests {
  private static let columns: [[UInt32]] = [
    [], [0], [7], [7, 7, 7], [0, 255], [0, 256], [1, 65_535], [3, 65_536], [.max, 0, .max],
    (0..<200).map { $0 % 7 }, (0..<200).map { $0 * 1000 },
    Array(repeating: 5, count: 100) + [6] + Array(repeating: 5, count: 100),
  ]

  @Test("A column keeps its numbers in as few bytes as they need", arguments: columns)
  func numbers(numbers: [UInt32]) {
    let column = NumberColumn(numbers)
    #expect(column.count == numbers.count)
    #expect(column.numbers == numbers)
    #expect(numbers.indices.map { column[$0] } == numbers)
    let half = numbers.count / 2..<numbers.count
    #expect(column.sum(in: half) == numbers[half].reduce(0) { $0 + Int64($1) })
    switch column {
    case .same: #expect(Set(numbers).count <= 1)
    case .bytes: #expect(Set(numbers).count > 1 && numbers.max() ?? 0 < 256)
    case .shorts: #expect((256...65_535).contains(numbers.max() ?? 0))
    case .words: #expect(numbers.max() ?? 0 > 65_535)
    }
  }

  @Test("The first and last of a set of numbers are found", arguments: columns)
  func search(numbers: [UInt32]) {
    // A set has an element for each number up to its largest one.
    let small = numbers.filter { $0 < 1000 }
    let column = NumberColumn(small)
    for wanted in [[], [0], [7], [5, 6], [255, 3]] as [[UInt32]] {
      for range in [0..<small.count, 0..<small.count / 2, small.count / 2..<small.count] {
        let places = range.filter { wanted.contains(small[$0]) }
        #expect(column.index(in: range, of: IDSet(wanted), .forwards) == places.first)
        #expect(column.index(in: range, of: IDSet(wanted), .backwards) == places.last)
      }
    }
  }
}

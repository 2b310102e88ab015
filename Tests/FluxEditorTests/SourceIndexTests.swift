import FluxLog
import TestFixtures
import Testing

@testable import FluxEditor

@Suite struct SourceIndexTests {
  private let shop: RecordedShop
  private let log: LogFile

  init() throws {
    shop = try RecordedShop()
    log = try LogFile.open(shop.log)
    try log.waitForIndex()
  }

  @Test("steps are found by the lines that dispatched them")
  func lines() throws {
    var index = SourceIndex()
    index.extend(to: 5, of: log)
    index.extend(to: log.count, of: log)
    #expect(index.count == 8)
    let cart = try #require(SourceFileName("Shop/Cart.swift"))
    #expect(index.positions(of: 2, in: [cart]) == [0, 3, 4])
    #expect(index.lines(of: [cart]) == [2, 4])
  }

  @Test("a log that has lost its last step is read again")
  func shrunk() throws {
    var index = SourceIndex()
    index.extend(to: log.count, of: log)
    index.extend(to: 3, of: log)
    #expect(index.count == 3)
    #expect(Set(index.positions.values.joined()) == [0, 1, 2])
  }
}

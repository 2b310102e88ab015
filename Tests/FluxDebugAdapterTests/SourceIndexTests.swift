import FluxInspector
import FluxLog
import Synchronization
import TestFixtures
import Testing

@testable import FluxDebugAdapter

@Suite struct SourceIndexTests {
  /// The activities that extending an index reports.
  private func extend(_ index: inout SourceIndex, _ log: LogFile) throws -> [String] {
    let activities = Mutex<[String]>([])
    try index.extend(
      to: log.count, of: log,
      Work(progress: { progress in activities.withLock { $0.append(progress.activity) } }))
    return activities.withLock { $0 }
  }

  private func open(_ path: String) throws -> LogFile {
    let log = try LogFile.open(path)
    try log.waitForIndex()
    return log
  }

  @Test("the second session takes the lines from the index beside the log, and reads no step")
  func stored() throws {
    let shop = try RecordedShop()
    var first = SourceIndex()
    let log = try open(shop.log)
    #expect(try log.saveIndex())
    #expect(try extend(&first, log) == ["finding source lines"])
    var second = SourceIndex()
    #expect(try extend(&second, try open(shop.log)) == [])
    #expect(second.positions == first.positions)
    #expect(second.files == first.files)
    let cart = try #require(SourceFileName("Shop/Cart.swift"))
    #expect(second.positions(of: 2, in: [cart]) == [0, 3, 4])
    #expect(second.lines(of: [cart]) == [2, 4])
  }

  @Test("without an index beside the log, each session reads the steps")
  func scanned() throws {
    let shop = try RecordedShop()
    for _ in 0..<2 {
      var index = SourceIndex()
      #expect(try extend(&index, try open(shop.log)) == ["finding source lines"])
      #expect(index.count == 8)
    }
  }

  @Test("a log that has lost its last step is read again")
  func shrunk() throws {
    let shop = try RecordedShop()
    var index = SourceIndex()
    let log = try open(shop.log)
    _ = try extend(&index, log)
    try index.extend(to: 3, of: log, Work())
    #expect(index.count == 3)
    #expect(Set(index.positions.values.joined()) == [0, 1, 2])
  }
}

import TestFixtures
import Testing

@testable import FluxLog

@Suite struct IndexWaitTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A wait ends as soon as there are more steps than are known, or no more will come")
  func waits() throws {
    var options = LogFile.Options()
    options.pieceSize = 512
    let path = try folder.write(SampleLog.text.utf8, to: "log.jsonl")
    let log = try LogFile.open(path, options: options)
    #expect(try log.waitForIndex(beyond: 0, check: {}))
    #expect(try log.waitForIndex(beyond: 6, check: {}))
    #expect(try !log.waitForIndex(beyond: 7, check: {}))
    #expect(try !log.waitForIndex(check: {}))
    #expect(log.isIndexComplete)
    #expect(log.count == 7)
  }
}

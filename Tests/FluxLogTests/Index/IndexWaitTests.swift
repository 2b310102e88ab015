import Foundation
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct IndexWaitTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A wait ends once there are more steps, or once the index is complete")
  func waits() throws {
    var options = LogFile.Options()
    options.indexing.pieceSize = 512
    let path = try folder.write(SampleLog.text.utf8, to: "log.jsonl")
    let log = try LogFile.open(path, options: options)
    #expect(try log.waitForIndex(beyond: 0, check: {}))
    #expect(try log.waitForIndex(beyond: 6, check: {}))
    #expect(try !log.waitForIndex(beyond: 7, check: {}))
    #expect(try !log.waitForIndex(check: {}))
    #expect(log.isIndexComplete)
    #expect(log.count == 7)
  }

  @Test("A log is usable once its first lines are indexed")
  func opensEarly() throws {
    // A wait for the whole index would end only after this time.
    let mayGoOn = DispatchSemaphore(value: 0)
    var options = LogFile.Options()
    options.threads = 1
    options.indexing.pieceSize = 512
    options.indexing.beforePiece = { piece in
      if piece > 0 { _ = mayGoOn.wait(timeout: .now() + 10) }
    }
    let path = try folder.write(SampleLog.text.utf8, to: "log.jsonl")
    let log = try LogFile.open(path, options: options)
    let count = log.count
    #expect(!log.isIndexComplete)
    #expect(count > 0 && count < 7)
    #expect(try log.step(at: count - 1).number == UInt64(count))
    #expect(try log.waitForIndex(beyond: count) { mayGoOn.signal() })
    #expect(try !log.waitForIndex { mayGoOn.signal() })
    #expect(log.isIndexComplete)
    #expect(log.count == 7)
  }
}

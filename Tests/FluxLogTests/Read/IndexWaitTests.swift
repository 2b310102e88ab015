import Foundation
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

  @Test("A log is open once its first lines are indexed, and answers while the others are not")
  func opensEarly() throws {
    // Whoever waited here for all of the index would find it complete, after this time.
    let mayGoOn = DispatchSemaphore(value: 0)
    var options = LogFile.Options()
    options.threads = 1
    options.pieceSize = 512
    options.beforePiece = { piece in
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

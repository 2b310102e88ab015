import Foundation
import Testing

@testable import FluxJSON

@Suite struct JSONStackTests {
  /// Runs on a thread with the small stack that threads have on some systems.
  private func onSmallStack(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread { continuation.resume(with: Result { try body() }) }
      thread.stackSize = 256 * 1024
      thread.start()
    }
  }

  @Test("The deepest values are compared and laid out on a small stack")
  func deepest() async throws {
    try await onSmallStack {
      let open = String(repeating: #"{"a":["#, count: 256)
      let close = String(repeating: "]}", count: 256)
      let left = try JSON.parse(open + "1" + close)
      let right = try JSON.parse(open + "1.0" + close)
      #expect(left == right)
      #expect(left.canonical() == right)
      #expect(left.pretty().utf8.count > 256 * 256)
      #expect(left != (try JSON.parse(open + "2" + close)))
    }
  }
}

import Foundation
import TerminalTesting
import Testing

@Suite("Tests on threads of their own", .ownThread)
struct OwnThreadTests {
  @Test("a test without suspension points runs on such a thread")
  func synchronous() {
    #expect(Thread.current.name == "OwnThread")
  }

  @Test("a test is on the same thread after it has waited for a task")
  func asynchronous() async {
    let before = currentThread()
    await Task.detached {}.value
    #expect(currentThread() == before)
  }

  private func currentThread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }
}

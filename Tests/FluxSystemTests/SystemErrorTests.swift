import FluxSystem
import Testing

@Suite struct SystemErrorTests {
  @Test("the error of the last call has its number")
  func last() {
    errno = EACCES
    #expect(SystemError(lastOf: "open") == SystemError("open", code: EACCES))
  }

  @Test("a number has the system's text")
  func messages() {
    #expect(systemMessage(ENOENT) == "No such file or directory")
    #expect(systemMessage(ENOSPC) == "No space left on device")
  }

  @Test("only an interrupted call is repeated")
  func repetition() {
    var results: [(result: Int, code: Int32)] = [(-1, EINTR), (-1, EINTR), (5, EINTR), (6, 0)]
    func call() -> Int {
      let next = results.removeFirst()
      errno = next.code
      return next.result
    }
    #expect(retrying(call) == 5)
    #expect(results.count == 1)
    results = [(-1, EAGAIN), (7, 0)]
    #expect(retrying(call) == -1)
    #expect(errno == EAGAIN)
    #expect(results.count == 1)
  }
}

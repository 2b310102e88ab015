import FluxJSON
import Testing

@testable import FluxEditor

/// The order in which requests are taken, and the searches that other requests interrupt.
@Suite struct InboxTests {
  private func request(_ seq: Int, _ command: String) -> Request {
    Request(seq: seq, command: command, arguments: [:])
  }

  /// The number of the next request that the worker takes.
  private func next(_ inbox: Inbox) -> Int? {
    guard case .job(let job) = inbox.next(milliseconds: 0) else { return nil }
    return job.request.seq
  }

  @Test("breakpoints that came before a search began interrupt it, and it goes on behind them")
  func breakpointsBehindSearch() throws {
    let inbox = Inbox()
    let search = request(1, "continue")
    inbox.add(search)
    inbox.add(request(2, "setFunctionBreakpoints"))
    #expect(next(inbox) == 1)
    #expect(inbox.isInterrupted(.worker))
    #expect(inbox.finish(.worker) == .breakpointsChanged)
    inbox.resume(search)
    #expect(next(inbox) == 2)
    #expect(!inbox.isInterrupted(.worker))
    // More breakpoints come while the worker is between two requests.
    inbox.add(request(3, "setExceptionBreakpoints"))
    #expect(inbox.finish(.worker) == nil)
    #expect(next(inbox) == 1)
    #expect(inbox.finish(.worker) == .breakpointsChanged)
    inbox.resume(search)
    #expect(next(inbox) == 3)
    #expect(inbox.finish(.worker) == nil)
    #expect(next(inbox) == 1)
    #expect(!inbox.isInterrupted(.worker))
  }

  @Test("a pause ends the search before it, though it waits, and none after it")
  func pause() {
    let inbox = Inbox()
    for (seq, command) in [(1, "continue"), (2, "pause"), (3, "continue")] {
      inbox.add(request(seq, command))
    }
    #expect(next(inbox) == 1)
    #expect(inbox.finish(.worker) == .pause)
    #expect(next(inbox) == 2)
    #expect(inbox.finish(.worker) == nil)
    #expect(next(inbox) == 3)
    #expect(!inbox.isInterrupted(.worker))
    inbox.add(request(4, "pause"))
    #expect(inbox.finish(.worker) == .pause)
  }

  @Test("of what waits, a request that is answered is not cancelled again")
  func cancel() {
    let inbox = Inbox()
    let search = request(1, "continue")
    for waiting in [search, request(2, "setBreakpoints"), request(3, "pause"), request(4, "next")] {
      inbox.add(waiting)
    }
    #expect(next(inbox) == 1)
    #expect(inbox.cancel(request: 3, progress: nil) == nil)
    #expect(inbox.cancel(request: 4, progress: nil)?.seq == 4)
    #expect(inbox.finish(.worker) == .pause)
    inbox.resume(search)
    #expect(inbox.cancel(request: 1, progress: nil) == nil)
    #expect(next(inbox) == 2)
    #expect(inbox.finish(.worker) == nil)
    #expect(next(inbox) == 1)
    #expect(inbox.finish(.worker) == .cancel)
    #expect(next(inbox) == 3)
    #expect(next(inbox) == nil)
  }

  @Test("breakpoints that come during a search interrupt it, and requests that read do not")
  func breakpointsDuringSearch() {
    let inbox = Inbox()
    inbox.add(request(1, "continue"))
    #expect(next(inbox) == 1)
    inbox.add(request(2, "threads"))
    #expect(!inbox.isInterrupted(.worker))
    inbox.add(request(3, "setBreakpoints"))
    #expect(inbox.finish(.worker) == .breakpointsChanged)
  }
}

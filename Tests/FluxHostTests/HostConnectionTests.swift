import FluxJSON
import FluxReplay
import Testing

@testable import FluxHost

/// Tests the connection over streams, without a process.
@Suite struct HostConnectionTests {
  /// The failure of a request, as text.
  private func failure(_ host: HostSide, limit: Double? = nil) -> String? {
    #expect(throws: ReplayFailure.self) { try host.ask(limit: limit) }?.description
  }

  // MARK: Framing

  @Test("requests are lines with rising ids, and each gets its answer")
  func requests() throws {
    let host = try HostSide()
    host.write(#"{"jsonrpc":"2.0","id":1,"result":{"states":[]}}"# + "\n")
    #expect(try host.ask() == ["states": []])
    #expect(host.connection.lastByteCount == 47)
    host.write(#"{"jsonrpc":"2.0","id":2,"result":5}"# + "\n")
    #expect(try host.ask() == 5)
    #expect(host.connection.lastByteCount == 35)
    #expect(host.requests() == HostSide.request(1) + HostSide.request(2))
    #expect(!host.isStopped)
  }

  @Test("an answer may come in pieces, after messages that need no answer")
  func pieces() throws {
    let host = try HostSide()
    host.write(#"{"jsonrpc":"2.0","method":"hello","params":{}}"# + "\n")
    host.report(step: 3)
    host.write(#"{"jsonrpc":"2.0","id":1,"#)
    var steps: [UInt64] = []
    let result = try host.ask { step in
      steps.append(step)
      host.write(#""result":"all of it"}"# + "\n")
      return true
    }
    #expect(result == "all of it")
    #expect(steps == [3])
  }

  @Test("a message of exactly the limit is accepted")
  func limit() throws {
    let text = String(repeating: "0123456789", count: 50)
    let answer = #"{"jsonrpc":"2.0","id":1,"result":"\#(text)"}"#
    let host = try HostSide(messageByteCount: answer.utf8.count)
    host.write(answer + "\n")
    #expect(try host.ask() == JSON(stringLiteral: text))
  }

  @Test("a request that does not fit in the pipe is sent while the host writes")
  func longRequest() throws {
    let host = try HostSide()
    host.report(step: 1)
    var received = ""
    let result = try host.connection.ask(
      .states, limit: nil, steps: .max,
      onProgress: { progress in
        received += host.requests()
        if received.hasSuffix("\n") {
          host.write(#"{"jsonrpc":"2.0","id":1,"result":true}"# + "\n")
        } else {
          host.report(step: progress.step + 1)
        }
        return true
      },
      params: String(repeating: "x", count: 300_000))
    #expect(result == true)
    let params = String(repeating: "x", count: 300_000)
    #expect(
      received
        == #"{"jsonrpc":"2.0","id":1,"method":"session/states","params":"\#(params)"}"# + "\n")
  }

  // MARK: Answers outside the protocol

  struct BadLine: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let line: String
    let problem: String
  }

  private static let expected = "expected an answer to request 1, session/states"

  static let badLines = [
    BadLine(
      testDescription: "not JSON", line: "hello",
      problem: #"the line "hello"; \#(expected): the line is not JSON: byte 0: "#
        + "unexpected 'h' (0x68); not allowed at this place in a JSON value"),
    BadLine(
      testDescription: "control characters", line: "\u{1B}[31mred",
      problem:
        #"the line "\u{1b}[31mred"; \#(expected): the line is not JSON: byte 0: "#
        + "unexpected byte 0x1B; not allowed at this place in a JSON value"),
    BadLine(
      testDescription: "a long line", line: String(repeating: "x", count: 81),
      problem: #"the line "\#(String(repeating: "x", count: 80))…"; \#(expected): "#
        + "the line is not JSON: byte 0: unexpected 'x' (0x78); "
        + "not allowed at this place in a JSON value"),
    BadLine(
      testDescription: "JSON of another protocol", line: #"{"id":1,"result":2}"#,
      problem: #"the line "{"id":1,"result":2}"; \#(expected): "#
        + #""jsonrpc" of the message is missing; expected "2.0""#),
    BadLine(
      testDescription: "an answer to another request",
      line: #"{"jsonrpc":"2.0","id":9,"result":2}"#,
      problem: "an answer with the id 9; \(expected)"),
    BadLine(
      testDescription: "an error about another request",
      line: #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"unreadable"}}"#,
      problem: "an error with the id null: unreadable; \(expected)"),
    BadLine(
      testDescription: "a request", line: #"{"jsonrpc":"2.0","id":1,"method":"states"}"#,
      problem: #"the request "states"; \#(expected)"#),
    BadLine(
      testDescription: "progress without a step",
      line: #"{"jsonrpc":"2.0","method":"progress","params":{"request":1}}"#,
      problem:
        #""step" of the progress is missing; expected a whole number; "#
        + "expected progress with a step"
    ),
  ]

  @Test("a line outside the protocol is quoted, and the host is stopped", arguments: badLines)
  func badLine(_ bad: BadLine) throws {
    let host = try HostSide()
    host.write(bad.line + "\n")
    #expect(failure(host) == "shop: the app broke the protocol: \(bad.problem)")
    #expect(host.isStopped)
  }

  @Test("a second answer to a request is refused, to an older one, too")
  func secondAnswer() throws {
    for (id, problem) in [(1, "1"), (2, "2")] {
      let host = try HostSide()
      host.write(#"{"jsonrpc":"2.0","id":1,"result":1}"# + "\n")
      #expect(try host.ask() == 1)
      host.write(#"{"jsonrpc":"2.0","id":2,"result":2}"# + "\n")
      host.write(#"{"jsonrpc":"2.0","id":\#(id),"result":3}"# + "\n")
      #expect(try host.ask() == 2)
      #expect(
        failure(host) == """
          shop: the app broke the protocol: a second answer with the id \(problem); expected an \
          answer to request 3, session/states
          """)
    }
  }

  @Test("blank lines are ignored")
  func blankLines() throws {
    let host = try HostSide()
    host.write("\n \r\n" + #"{"jsonrpc":"2.0","id":1,"result":1}"# + "\r\n\n")
    #expect(try host.ask() == 1)
    host.write(#"{"jsonrpc":"2.0","id":2,"result":2}"# + "\n")
    #expect(try host.ask() == 2)
  }

  @Test("a message over the limit is refused")
  func oversize() throws {
    let host = try HostSide(messageByteCount: 20)
    host.write(#"{"jsonrpc":"2.0","id":1,"result":2}"# + "\n")
    #expect(
      failure(host) == """
        shop: the app broke the protocol: a message of 35 bytes; expected at most 20; set \
        FLUX_MEMORY_LIMIT to more megabytes to raise the limit
        """)
    #expect(host.isStopped)
  }

  @Test("a message that does not end is refused before it fills the memory")
  func endless() throws {
    let host = try HostSide(messageByteCount: 200)
    host.report(step: 1)
    host.write(String(repeating: "x", count: 250))
    let failure = #expect(throws: ReplayFailure.self) {
      try host.ask { _ in
        host.write("x")
        return true
      }
    }
    #expect(
      failure?.description == """
        shop: the app broke the protocol: a message of more than 200 bytes; expected a shorter one; \
        set FLUX_MEMORY_LIMIT to more megabytes to raise the limit
        """)
    #expect(host.isStopped)
  }

  @Test("a message whose values take many times its length is refused")
  func manyValues() throws {
    let host = try HostSide(messageByteCount: 100)
    let zeros = Array(repeating: "0", count: 12).joined(separator: ",")
    host.write(#"{"jsonrpc":"2.0","id":1,"result":[\#(zeros)]}"# + "\n")
    #expect(
      failure(host) == """
        shop: the app broke the protocol: a message whose values take about 347 bytes of memory; \
        expected at most 200; set FLUX_MEMORY_LIMIT to more megabytes to raise the limit
        """)
    #expect(host.isStopped)
  }

  // MARK: Failures

  @Test("an error answer is a failure, and the connection stays usable")
  func refusal() throws {
    let host = try HostSide()
    host.write(
      #"{"jsonrpc":"2.0","id":1,"error":{"code":-32003,"message":"there is no session 7"}}"# + "\n")
    #expect(
      failure(host) == "shop: the app answered session/states with an error: there is no session 7")
    host.write(#"{"jsonrpc":"2.0","id":2,"result":[]}"# + "\n")
    #expect(try host.ask() == [])
  }

  @Test("the end of the output in the middle of a message is a failure, with the last words")
  func end() throws {
    let host = try HostSide()
    host.write(#"{"jsonrpc":"2.0","id":1,"res"#)
    host.complain("one\nthe disk is full")
    host.closeOutput()
    #expect(
      failure(host) == """
        shop: the app broke the protocol: the end of its standard output while it is still running; \
        expected an answer
          its last lines on standard error:
            one
            the disk is full
        """)
    #expect(host.isStopped)
  }

  @Test("an answer that was written before the end counts")
  func answerBeforeEnd() throws {
    let host = try HostSide()
    host.write(#"{"jsonrpc":"2.0","id":1,"result":true}"# + "\n")
    host.closeOutput()
    #expect(try host.ask() == true)
  }

  @Test("a host that no longer reads can still answer")
  func closedInput() throws {
    let host = try HostSide()
    host.closeInput()
    host.write(#"{"jsonrpc":"2.0","id":1,"result":true}"# + "\n")
    #expect(try host.ask() == true)
    #expect(host.isStopped)
  }

  // MARK: Limits

  @Test("a host that does not answer in time is stopped")
  func timeOut() throws {
    let host = try HostSide()
    host.write(#"{"jsonrpc":"2.0","id":1,"res"#)
    #expect(
      failure(host, limit: 0) == """
        shop: the app did not answer within 0.0 s and was stopped; allow it more time, or look for a \
        reducer that does not return
        """)
    #expect(host.isStopped)
  }

  @Test("an answer that is there is taken even if the time is up")
  func answerAtTheLimit() throws {
    let host = try HostSide()
    host.write(#"{"jsonrpc":"2.0","id":1,"result":true}"# + "\n")
    #expect(try host.ask(limit: 0) == true)
  }

  @Test("a cancelled request stops the host, and its last words do not matter")
  func cancelled() throws {
    let host = try HostSide(isCancelled: { true })
    host.complain("still computing")
    #expect(failure(host) == "shop: the replay was cancelled")
    #expect(host.isStopped)
  }

  @Test("only a further step of the same request counts as progress")
  func progress() throws {
    let host = try HostSide()
    for (request, step) in [(1, 5), (2, 9), (1, 5), (1, 4), (1, 6)] as [(Int, UInt64)] {
      host.report(step: step, of: request)
    }
    host.write(#"{"jsonrpc":"2.0","id":1,"result":true}"# + "\n")
    var steps: [UInt64] = []
    let result = try host.ask { step in
      steps.append(step)
      return true
    }
    #expect(result == true)
    #expect(steps == [5, 6])
  }

  @Test("a request has no more progress than steps", arguments: [0, 1, 3])
  func boundedProgress(_ count: Int) throws {
    let host = try HostSide()
    for step in 1...5 { host.report(step: UInt64(step)) }
    host.write(#"{"jsonrpc":"2.0","id":1,"result":true}"# + "\n")
    var steps: [UInt64] = []
    let result = try host.ask(steps: count) { step in
      steps.append(step)
      return true
    }
    #expect(result == true)
    #expect(steps == (1...5).prefix(count).map(UInt64.init))
  }

  @Test("progress beyond the steps does not extend the limit")
  func endlessProgress() throws {
    var exchange = Exchange(limit: 1e8, steps: 1)
    let first = try #require(exchange.deadline)
    exchange.note(RequestProgress(request: 1, step: 1))
    let second = try #require(exchange.deadline)
    exchange.note(RequestProgress(request: 1, step: 2))
    #expect(second > first && exchange.deadline == second)
    #expect(exchange.reports.map(\.step) == [1])
  }

  @Test("a request that its progress cancels tells the host, which may still answer")
  func cancelledByProgress() throws {
    let host = try HostSide()
    host.report(step: 1)
    let result = try host.ask { _ in
      host.report(step: 2)
      host.write(#"{"jsonrpc":"2.0","id":1,"result":true}"# + "\n")
      return false
    }
    #expect(result == true)
    #expect(
      host.requests() == HostSide.request(1)
        + #"{"jsonrpc":"2.0","method":"cancel","params":{"request":1}}"# + "\n")
  }

  @Test("an idle host is asked to end")
  func shutdown() throws {
    let host = try HostSide()
    host.connection.end(within: .zero)
    #expect(
      host.requests() == #"{"jsonrpc":"2.0","id":1,"method":"shutdown","params":{}}"# + "\n")
    #expect(host.isStopped)
  }

  @Test("a limit is a time from now on; decades and none at all are no limit")
  func deadlines() throws {
    func exchange(_ limit: Double?) -> Exchange { Exchange(limit: limit, steps: 0) }
    #expect(exchange(nil).deadline == nil)
    #expect(exchange(.infinity).deadline == nil)
    #expect(exchange(1e9).deadline == nil)
    #expect(try #require(exchange(-1).deadline) <= .now)
    #expect(try #require(exchange(1e8).deadline) > .now)
  }

  @Test("progress does not extend the time that a cancelled request has to answer")
  func grace() throws {
    var exchange = Exchange(limit: 1e8, steps: 1)
    exchange.cancel(after: .zero)
    exchange.note(RequestProgress(request: 1, step: 1))
    #expect(exchange.isCancelled)
    #expect(try #require(exchange.deadline) <= .now)
  }
}

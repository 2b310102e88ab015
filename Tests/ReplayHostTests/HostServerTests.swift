import Counter
import FluxJSON
import FluxLog
import Testing

@testable import FluxReplay

/// The server without processes: lines in, lines out.
@Suite struct HostServerTests {
  /// Returns a server's answers to lines, and `true` if it expects more.
  private static func answers(_ lines: String...) -> (lines: [String], goesOn: Bool) {
    let server = HostServer(CounterApp())
    let channel = RecordingChannel()
    var goesOn = true
    for line in lines { goesOn = server.answer(Array(line.utf8), channel) }
    return (channel.lines, goesOn)
  }

  private static let initialize =
    #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":"1.0"}}"#
  private static let start =
    #"{"jsonrpc":"2.0","id":2,"method":"session/start","params":{"mode":"replay","#
    + #""seed":"0000000000000001","created":"2026-11-20T12:00:00Z","next":1,"t":0}}"#

  @Test("a request without an answer gets an error")
  func errors() {
    let table = [
      (
        "{",
        #"null,"error":{"code":-32700,"message":"the line is not JSON: byte 1: the text ends "#
          + #"inside a JSON value; it was probably cut off"}}"#
      ),
      (
        "[]",
        #"null,"error":{"code":-32600,"message":"the message must be an object, found []"}}"#
      ),
      (
        #"{"id":3,"method":"initialize"}"#,
        #"null,"error":{"code":-32600,"message":"\"jsonrpc\" of the message is missing; "#
          + #"expected \"2.0\""}}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":[],"method":"initialize"}"#,
        #"null,"error":{"code":-32600,"message":"\"id\" of the message must be a number or a "#
          + #"string, found []"}}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":"a","method":"fly"}"#,
        #""a","error":{"code":-32601,"message":"there is no method \"fly\"; there are initialize, "#
          + "session/start, session/dispatch, session/states, session/upcast, session/end, "
          + "actions/source, verify, "
          + #"shutdown"}}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":4,"method":"session/states","params":{"session":1}}"#,
        #"4,"error":{"code":-32002,"message":"the first request must be initialize"}}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":5,"method":"initialize","params":[]}"#,
        #"null,"error":{"code":-32600,"message":"\"params\" of the message must be an object, "#
          + #"found []"}}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":6,"method":"initialize"}"#,
        #"6,"error":{"code":-32602,"message":"\"protocol\" of the greeting is missing; "#
          + #"expected a string"}}"#
      ),
    ]
    for (line, answer) in table {
      let (answers, goesOn) = Self.answers(line)
      #expect(answers == [#"{"jsonrpc":"2.0","id":"# + answer])
      #expect(goesOn)
    }
  }

  @Test("sessions are numbered, and end")
  func sessions() {
    let states = #"{"jsonrpc":"2.0","id":3,"method":"session/states","params":{"session":2}}"#
    let end = #"{"jsonrpc":"2.0","id":4,"method":"session/end","params":{"session":2}}"#
    let (answers, goesOn) = Self.answers(
      Self.initialize, Self.start, Self.start, states, end, states)
    #expect(
      answers.dropFirst() == [
        #"{"jsonrpc":"2.0","id":2,"result":{"session":1}}"#,
        #"{"jsonrpc":"2.0","id":2,"result":{"session":2}}"#,
        #"{"jsonrpc":"2.0","id":3,"result":{"states":{"counter":{"count":0}}}}"#,
        #"{"jsonrpc":"2.0","id":4,"result":{}}"#,
        #"{"jsonrpc":"2.0","id":3,"error":{"code":-32003,"#
          + #""message":"there is no session 2; session/start begins one"}}"#,
      ])
    #expect(goesOn)
  }

  @Test("notifications and answers get no answer, and shutdown ends the server")
  func silence() {
    #expect(
      Self.answers(#"{"jsonrpc":"2.0","method":"cancel","params":{"request":1}}"#).lines == [])
    #expect(Self.answers(#"{"jsonrpc":"2.0","id":1,"result":{}}"#).lines == [])
    let (answers, goesOn) = Self.answers(#"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#)
    #expect(answers == [#"{"jsonrpc":"2.0","id":1,"result":{}}"#])
    #expect(!goesOn)
  }

  @Test(
    "a failure of the app crosses the wire unchanged",
    arguments: [
      ReplayFailure(
        .statesNotRestorable([.init(store: "a", why: "b"), .init(store: "c", why: "d")])),
      ReplayFailure(.cannotEncode("the state of a", why: "b"), step: 7, action: "a/b"),
      ReplayFailure(.ended), ReplayFailure(.cancelled),
    ])
  func failures(_ failure: ReplayFailure) {
    #expect(ReplayFailure(RPCError(failure), asked: .dispatch) == failure)
  }
}

/// Keeps the sent lines.
private final class RecordingChannel: HostChannel {
  private(set) var lines: [String] = []

  func send(_ line: [UInt8]) {
    #expect(line.last == UInt8(ascii: "\n"))
    lines.append(String(decoding: line.dropLast(), as: UTF8.self))
  }

  func isCancelled(_ request: JSON) -> Bool { false }
}

import TestFixtures
import Testing

@Suite(.waiting) struct DebugAdapterCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func framed(_ messages: [String]) -> String {
    messages.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined()
  }

  @Test("dap answers on standard output, and ends with disconnect")
  func session() throws {
    let run = try ProgramRun(
      ["dap"],
      input: framed([
        #"{"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"flux"}}"#,
        #"{"seq":2,"type":"request","command":"disconnect"}"#, "never read",
      ]), in: folder)
    #expect(run.code == 0)
    #expect(run.errors == "")
    #expect(run.output.contains(#""request_seq":2,"success":true,"command":"disconnect"}"#))
  }

  @Test("a stream that is not the protocol ends dap with a message")
  func malformed() throws {
    let run = try ProgramRun(["dap"], input: "hello\n", in: folder)
    #expect(
      run
        == ProgramRun(
          3,
          errors: """
            error: the client does not speak the protocol: expected Content-Length or Content-Type, found "hello"

            """
        ))
  }
}

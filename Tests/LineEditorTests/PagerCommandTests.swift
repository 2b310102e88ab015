import LineEditor
import Testing

@Suite("Pager command")
struct PagerCommandTests {
  private func command(_ environment: [String: String]) -> [String]? {
    let programs = ["/usr/bin/less", "/opt/most", "/bin/more", "/bin/cat"]
    return PagerCommand(environment: environment) { programs.contains($0) }?.arguments
  }

  @Test(
    "is what the user wants, if there is such a program",
    arguments: [
      (["PATH": "/bin:/usr/bin"], ["/usr/bin/less"]), (["PATH": "/bin"], nil),
      ([:], ["/usr/bin/less"]),
      (["PAGER": "more -s", "PATH": "/bin"], ["/bin/sh", "-c", "more -s"]),
      (["PAGER": "/opt/most"], ["/bin/sh", "-c", "/opt/most"]), (["PAGER": "/opt/none"], nil),
      (["PAGER": "gone", "PATH": "/bin:/usr/bin"], nil), (["PAGER": ""], nil),
      (["PAGER": "cat"], nil),
    ] as [([String: String], [String]?)])
  func chooses(_ environment: [String: String], _ expected: [String]?) {
    #expect(command(environment) == expected)
  }

  @Test("tells less to leave text that fits, and keeps what the user tells it")
  func setsLess() {
    #expect(PagerCommand(environment: [:]) { _ in true }?.additions == ["LESS": "FRX"])
    #expect(PagerCommand(environment: ["LESS": "S"]) { _ in true }?.additions == [:])
  }
}

import FluxSubcommands
import Testing

@Suite("The words that suggested commands begin with")
struct InvocationTests {
  @Test(
    "are the name, the path, or swift run, as the program was started",
    arguments: [
      ("flux-inspect", "/usr/local/bin/flux-inspect", "flux-inspect"),
      ("flux-inspect", "/there/.build/debug/flux-inspect", "flux-inspect"),
      (".build/debug/flux-inspect", "/there/.build/debug/flux-inspect", "swift run flux-inspect"),
      (
        "/there/.build/x/debug/flux-inspect", "/there/.build/x/debug/flux-inspect",
        "swift run flux-inspect"
      ),
      (
        "/there/.build/x/debug/flux-verify", "/there/.build/x/debug/flux-verify",
        "swift run flux-inspect"
      ),
      (
        "/else/.build/debug/flux-inspect", "/else/.build/debug/flux-inspect",
        "/else/.build/debug/flux-inspect"
      ),
      ("../my tools/flux-inspect", "/my tools/flux-inspect", "'../my tools/flux-inspect'"),
      ("flux-verify", "/usr/local/bin/flux-verify", "flux-inspect"),
      ("../bin/flux-verify", "/bin/flux-verify", "../bin/flux-inspect"),
    ])
  func text(_ argument: String, _ executable: String, _ expected: String) {
    #expect(
      CommandLine.invocation(of: argument, executable: executable, folder: "/there") == expected)
  }
}

import TestFixtures
import Testing

@testable import FluxCorpus

@Suite struct RunningAppsSubcommandTests {
  private func diagnostics(_ problems: [String]) throws -> String {
    let subcommand = Subcommand.runningApps([], problems: problems)
    return try SubcommandRun(subcommand, in: TemporaryFolder()).diagnostics
  }

  @Test("attach --list without an app says so, but not if one runs that does not answer")
  func none() throws {
    #expect(try diagnostics([]) == "note: no running app to attach to\n")
    #expect(
      try diagnostics(["process 42: the app did not answer within 10.0 s"]) == """
        note: process 42: the app did not answer within 10.0 s
        note: none of the running apps can be attached to

        """)
  }
}

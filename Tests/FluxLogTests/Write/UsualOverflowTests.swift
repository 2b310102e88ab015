import Testing

@testable import FluxLog

/// The usual reaction to a full queue: only apps with a user interface leave out states.
@Suite struct UsualOverflowTests {
  @Test(
    "an executable in a bundle of an app leaves out states, and all others wait",
    arguments: [
      ("/Applications/Todos.app/Contents/MacOS/Todos", [:], .thin),
      ("/private/var/containers/Bundle/Application/5C1F/Todos.app/Todos", [:], .thin),
      ("/Applications/Todos.app/PlugIns/Widget.appex/Widget", [:], .thin),
      ("/Users/ada/Todos.app/Todos", ["XCTestConfigurationFilePath": "/tmp/x"], .block),
      ("/Users/ada/Todos.app/Todos", ["XCTestBundlePath": "/tmp/x.xctest"], .block),
      (".build/debug/todos", [:], .block),
      ("/usr/bin/Todos.app", [:], .block),
      ("/srv/Todos.apps/todos", [:], .block),
      ("", [:], .block),
    ] as [(String, [String: String], LogWriter.Options.Overflow)])
  func table(
    _ executable: String, _ environment: [String: String], _ expected: LogWriter.Options.Overflow
  ) {
    #expect(
      LogWriter.Options.Overflow.choice(executable: executable, environment: environment)
        == expected
    )
  }

  @Test("a test records with every state")
  func here() { #expect(LogWriter.Options().overflow == .block) }
}

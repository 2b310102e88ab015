import FluxCommands
import Testing

@Suite struct ConsolePageTests {
  @Test("the page about the page lists each command that its console lacks")
  func missingCommands() throws {
    let text = try Project.text(of: "docs/page.md")
    let list = try #require(text.firstMatch(of: /except those that need a terminal[^.]*\./)).output
    let listed = list.matches(of: /`([^`]+)`/).map { String($0.output.1) }
    let here = CommandRegistry.withoutTerminal.table.commands.map(\.name)
    let all = CommandRegistry.standard.table.commands.map(\.name)
    // The two that redirect are no commands.
    #expect(Set(listed).subtracting(["|", ">"]) == Set(all).subtracting(here))
  }
}

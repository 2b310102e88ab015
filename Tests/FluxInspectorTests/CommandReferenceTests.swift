import Foundation
import Testing

@testable import FluxInspector

@Suite struct CommandReferenceTests {
  /// `FLUX_UPDATE=1` writes it anew.
  @Test("docs/commands.md is what the commands say of themselves")
  func isCurrent() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/commands.md")
    let markdown = CommandReference.markdown()
    if ProcessInfo.processInfo.environment["FLUX_UPDATE"] == "1" {
      try Data(markdown.utf8).write(to: file)
    }
    let written = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(written == markdown, "FLUX_UPDATE=1 swift test --filter CommandReferenceTests")
  }

  @Test("A command is told with its options and examples, and signs of tables are escaped")
  func sections() {
    #expect(
      CommandReference.markdown(
        of: CommandRegistry([UndisplayCommand(), TypesCommand(), DiffCommand()]).table)
          == #"""
          # Commands of a session

          Made from the help of the commands; `help` shows the same. A command is found by its name, by an alias,
          or by the beginning of its name. `|` after a command sends its output to a shell command, `>` writes it
          to a file; both count outside of quotes, brackets and parentheses. A quote begins where a word or a value can
          begin: after a blank, a bracket, a comma, a colon or an operator. The apostrophe in `/a/it's` is none.

          ## Looking

          | command | what it does |
          |---|---|
          | `undisplay N` | show a path after moves no more |
          | `types` | list the types of actions, the most frequent first |
          | `diff [A] [B] [--store S] [--patch\|--stat]` (`d`) | show what this step changed, or how two steps differ |

          ### `undisplay`

          `undisplay N`: show a path after moves no more.

          N is the number that 'display' gave it. The numbers of the others stay.

          ```
          undisplay 1
          ```

          ### `types`

          `types`: list the types of actions, the most frequent first.

          Rejected actions count as well.

          ### `diff`

          `diff [A] [B] [--store S] [--patch|--stat]`: show what this step changed, or how two steps differ.

          Without a position: what this step changed. With one: what differs between it and here. The changes are listed in the order in which they turn A into B, one applied after the other.

          On a fork and without a position: what its newest step changed. After a gap, what changed is said against the last known model.

          | option | what it does |
          |---|---|
          | `--store S` | of this store alone |
          | `--patch` | as a JSON Patch (RFC 6902) |
          | `--stat` | only how many changes there are, by store |

          ```
          diff
          diff -5
          diff start end --store todos
          diff 3 7 --patch
          ```

          """#)
  }
}

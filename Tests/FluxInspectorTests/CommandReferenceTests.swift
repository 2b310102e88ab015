import Foundation
import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite struct CommandReferenceTests {
  /// `FLUX_UPDATE=1` writes the file again.
  @Test("docs/commands.md is the reference of the commands")
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

  @Test("A section has the options and examples of its command, and escapes for tables")
  func sections() {
    #expect(
      CommandReference.markdown(
        of: CommandRegistry([.undisplay, .types, .diff]).table)
          == #"""
          # Session commands

          This page is generated from the help of the commands, which `help` shows as well. [Terms](terms.md) defines the words used in it.

          You can write the name of a command, an alias, or the beginning of the name. A position alone is a move: `17`,
          `+5`, `@2.5`, `todo/add#3`. `|` after a command sends its output to a shell command, `>` writes it to a new file,
          and `>!` replaces a file. If a command takes an expression, `>` compares, so use `>!` there. All count only outside
          quotes, brackets and parentheses. A quote begins where a word or a value can begin: after a space, a bracket, a
          comma, a colon or an operator. The apostrophe in `/a/it's` is a letter.

          ## Looking

          | command | effect |
          |---|---|
          | `undisplay N` | Stop displaying a value |
          | `types` | List the types of actions, the most frequent first |
          | `diff [A] [B] [--store S] [--patch\|--stat\|--identity]` (`d`) | Show what this step changed, or how two steps differ |

          ### `undisplay`

          `undisplay N`: Stop displaying a value.

          N is the number that 'display' shows. The numbers of the others do not change.

          ```
          undisplay 1
          ```

          ### `types`

          `types`: List the types of actions, the most frequent first.

          Rejected actions count too.

          ### `diff`

          `diff [A] [B] [--store S] [--patch|--stat|--identity]`: Show what this step changed, or how two steps differ.

          Without a position: the changes of this step. With one: the differences between it and here. Applied one after the other, the changes turn A into B. diff A..B is the same as diff A B; A.. ends at the end of the log, and ..B begins at its start.

          The text shows elements of arrays by their identity: added, removed, moved or changed. An array has identities if all its elements are objects whose id is a unique string or number. If there is no id, then key, uuid or name is used. 'set identity todos.items=tag' names another member. Strings are compared word by word, and multi-line strings line by line. Removed elements are shown with their old index. --identity adds the elements to JSON.

          On a fork and without a position: the changes of its step here. After a gap, changes are relative to the last known states; so are those after states that the recorder left out because it was behind.

          | option | effect |
          |---|---|
          | `--store S` | Only this store |
          | `--patch` | As a JSON Patch (RFC 6902) |
          | `--identity` | In JSON, list array elements by identity |
          | `--stat` | Only the number of changes of each store |

          ```
          diff
          diff -5
          diff 3..7
          diff start end --store todos
          diff 3 7 --patch
          ```

          """#)
  }
}

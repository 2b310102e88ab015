/// The headings, links and blocks of code of a page in Markdown, or of the documentation comments of a Swift file.
struct Document {
  /// A fenced block of code.
  struct Block {
    /// The words behind the fence: the language, and marks of this project.
    let info: [String]
    let lines: [String]
    /// The number of its first line in the page.
    let number: Int

    var language: String { info.first ?? "" }
    /// `true` if the block belongs to another package: `Scripts/check-newcomers` builds or runs those of the README
    /// and of the CI page, and nothing compiles the others.
    var isOutside: Bool { info.contains("outside") }
  }

  struct Link: Equatable {
    let target: String
    let number: Int
  }

  let path: String
  let blocks: [Block]
  /// The prose: every line that is not in a block, with its number.
  private let prose: [(number: Int, text: Substring)]

  init(path: String, text: String) {
    self.path = path
    var blocks: [Block] = []
    var prose: [(Int, Substring)] = []
    var open: Block?
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in (path.hasSuffix(".swift") ? lines.map(Self.comment) : lines).enumerated() {
      switch open {
      case nil where line.hasPrefix("```"):
        open = Block(
          info: line.dropFirst(3).split(separator: " ").map(String.init), lines: [],
          number: index + 2)
      case nil:
        prose.append((index + 1, line))
      case .some(let block) where line == "```":
        blocks.append(block)
        open = nil
      case .some(let block):
        open = Block(info: block.info, lines: block.lines + [String(line)], number: block.number)
      }
    }
    self.blocks = blocks
    self.prose = prose
  }

  /// The text of a documentation comment's line; empty for any other line.
  private static func comment(_ line: Substring) -> Substring {
    let line = line.drop { $0 == " " }
    guard line.hasPrefix("///") else { return "" }
    let text = line.dropFirst(3)
    return text.hasPrefix(" ") ? text.dropFirst() : text
  }

  /// The text of each heading.
  var headings: [String] {
    prose.filter { $0.text.hasPrefix("#") }.map { _, line in
      String(line.drop { $0 == "#" }.drop { $0 == " " })
    }
  }

  /// The names that links to headings have.
  ///
  /// The rules are GitHub's: lower case, no punctuation, hyphens for blanks, and a number if a heading is repeated.
  var anchors: Set<String> {
    var counts: [String: Int] = [:]
    var anchors: Set<String> = []
    for (_, line) in prose where line.hasPrefix("#") {
      let heading = line.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
      let kept = heading.filter {
        $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_"
      }
      let name = kept.replacing(" ", with: "-")
      let count = counts[name, default: 0]
      anchors.insert(count == 0 ? name : "\(name)-\(count)")
      counts[name] = count + 1
    }
    return anchors
  }

  /// The targets of links and pictures.
  var links: [Link] {
    prose.flatMap { number, text in
      // Code between backticks holds no links.
      let outsideCode = text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .map { $0.offset.isMultiple(of: 2) ? $0.element : "code" }.joined()
      return outsideCode.matches(of: /\]\((?<target>[^()\s]+)\)/).map {
        Link(target: String($0.output.target), number: number)
      }
    }
  }
}

import TerminalTesting

/// A terminal's screen as an SVG picture, in the colours that it has there.
///
/// Every run of cells of one style has the position of its column and is stretched to its width. The picture is therefore
/// the same with every font.
struct Picture {
  private static let cellWidth = 8.4
  private static let rowHeight = 20.0
  private static let margin = 20.0
  private static let titleHeight = 28.0

  private let screen: Screen
  private let rows: Int
  private let title: String

  /// Draws the first rows of a screen.
  ///
  /// - Parameters:
  ///   - screen: The screen.
  ///   - rows: The number of rows.
  ///   - title: A description for people who cannot see the picture.
  init(of screen: Screen, rows: Int, title: String) {
    self.screen = screen
    self.rows = rows
    self.title = title
  }

  /// The text of the SVG file.
  var svg: String {
    let width = Self.points(Double(screen.columns) * Self.cellWidth + 2 * Self.margin)
    let height = Self.points(Double(rows) * Self.rowHeight + Self.titleHeight + 1.5 * Self.margin)
    let head = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" xml:space="preserve" role="img">
      <title>\(Self.escaped(title))</title>
      <style>
      text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; \
      white-space: pre; fill: #d5dae3 }
      \(Style.sheet)
      </style>
      <rect width="\(width)" height="\(height)" rx="8" fill="#1b1f27"/>
      <circle cx="20" cy="18" r="5" fill="#e0645c"/><circle cx="38" cy="18" r="5" fill="#e2b45a"/>\
      <circle cx="56" cy="18" r="5" fill="#6fbf73"/>
      """
    return ([head] + (0..<rows).flatMap(texts) + ["</svg>", ""]).joined(separator: "\n")
  }

  /// The elements of a row, one for each run of cells that look alike.
  private func texts(row: Int) -> [String] {
    let y = Self.points(Self.titleHeight + Self.margin + (Double(row) + 0.5) * Self.rowHeight)
    return runs(row: row).map { run in
      let x = Self.points(Self.margin + Double(run.column) * Self.cellWidth)
      let length = Self.points(Double(run.width) * Self.cellWidth)
      let style = run.style.name.map { " class=\"\($0)\"" } ?? ""
      return
        "<text x=\"\(x)\" y=\"\(y)\" textLength=\"\(length)\"\(style)>\(Self.escaped(run.text))</text>"
    }
  }

  private struct Run {
    let column: Int
    var width: Int
    var text: String
    let style: Style
  }

  private func runs(row: Int) -> [Run] {
    let end = (0..<screen.columns).last { screen.cell(row: row, column: $0).text != " " } ?? -1
    var runs: [Run] = []
    for column in 0..<(end + 1) {
      let cell = screen.cell(row: row, column: column)
      let style = Style(cell.style)
      if let last = runs.last, last.style == style {
        runs[runs.count - 1].text += cell.text
        runs[runs.count - 1].width += 1
      } else {
        runs.append(Run(column: column, width: 1, text: cell.text, style: style))
      }
    }
    return runs.filter { !$0.text.allSatisfy { $0 == " " } }
  }

  /// A length, without needless decimals.
  private static func points(_ length: Double) -> String {
    let tenths = Int((length * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

extension Picture {
  /// The look of a run of text, from a graphic rendition (ECMA-48, SGR).
  struct Style: Equatable {
    /// The rules for all styles.
    static let sheet = """
      .bold { font-weight: bold; fill: #ffffff } .dim { fill: #7d8797 } .red { fill: #ef7f78 }
      .green { fill: #8ccf7e } .yellow { fill: #e5c76b } .magenta { fill: #c594e8 } .blue { fill: #8f9bf2 } .cyan { fill: #6ecbd8 }
      """

    /// The name of its rule, or nil for plain text.
    let name: String?

    /// Reads the parameters of a sequence.
    init(_ parameters: String) {
      // The colors of every terminal, and the shades of `browse` in xterm's table of 256.
      let names = [
        1: "bold", 2: "dim", 31: "red", 32: "green", 33: "yellow", 35: "magenta", 36: "cyan",
        28: "green", 30: "cyan", 62: "blue", 130: "yellow", 161: "red", 243: "dim",
      ]
      name = parameters.split(separator: ";").compactMap { Int($0).flatMap { names[$0] } }.last
    }
  }
}

import Foundation

/// Lines over a common axis, both axes logarithmic, as a drawing in SVG.
///
/// A cost that is the same everywhere is a level line, and one that grows with x climbs a decade for each.
package struct LinePlot: Sendable {
  /// Points that are joined.
  package struct Line: Sendable {
    let name: String
    let points: [(x: Double, y: Double)]

    /// Creates a line through points in ascending order; both numbers of each have to be above 0.
    package init(_ name: String, _ points: [(x: Double, y: Double)]) {
      self.name = name
      self.points = points
    }
  }

  let title: String
  let xTitle: String
  let lines: [Line]

  package init(_ title: String, over xTitle: String, _ lines: [Line]) {
    self.title = title
    self.xTitle = xTitle
    self.lines = lines
  }

  /// Okabe and Ito's colours, which the colour-blind tell apart.
  private static let colors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]

  /// The drawing.
  package var svg: String {
    let (x, y) = (
      LogarithmicAxis(lines.flatMap { $0.points.map(\.x) }, from: 70, to: 540),
      LogarithmicAxis(lines.flatMap { $0.points.map(\.y) }, from: 350, to: 50)
    )
    let parts = [frame(x, y)] + lines.indices.map { draw($0, x, y) }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="760" height="410" viewBox="0 0 760 410" \
      font-family="sans-serif" font-size="12">
      <rect width="760" height="410" fill="#ffffff"/>
      <text x="70" y="28" font-size="15" fill="#222222">\(title)</text>
      \(parts.joined(separator: "\n"))
      </svg>

      """
  }

  private func frame(_ x: LogarithmicAxis, _ y: LogarithmicAxis) -> String {
    let columns = x.ticks.map { tick in
      let place = Self.text(x.place(of: tick))
      return """
        <path d="M\(place) 50V350" stroke="#dddddd"/>
        <text x="\(place)" y="368" text-anchor="middle" fill="#555555">\(LogarithmicAxis.label(tick))</text>
        """
    }
    let rows = y.ticks.map { tick in
      let place = Self.text(y.place(of: tick))
      return """
        <path d="M70 \(place)H540" stroke="#dddddd"/>
        <text x="62" y="\(place)" dy="4" text-anchor="end" fill="#555555">\(LogarithmicAxis.label(tick))</text>
        """
    }
    let below = """
      <text x="305" y="394" text-anchor="middle" fill="#222222">\(xTitle)</text>
      """
    return (columns + rows + [below]).joined(separator: "\n")
  }

  private func draw(_ index: Int, _ x: LogarithmicAxis, _ y: LogarithmicAxis) -> String {
    let color = Self.colors[index % Self.colors.count]
    let places = lines[index].points.map { point in
      (x: Self.text(x.place(of: point.x)), y: Self.text(y.place(of: point.y)))
    }
    let path = places.map { "\($0.x) \($0.y)" }.joined(separator: "L")
    let dots = places.map { place in
      """
      <circle cx="\(place.x)" cy="\(place.y)" r="3" fill="\(color)"/>
      """
    }
    let row = 62 + index * 22
    return """
      <path d="M\(path)" fill="none" stroke="\(color)" stroke-width="2"/>
      \(dots.joined())
      <rect x="560" y="\(row - 5)" width="14" height="4" fill="\(color)"/>
      <text x="580" y="\(row)" dy="1" fill="#222222">\(lines[index].name)</text>
      """
  }

  private static func text(_ place: Double) -> String { String(format: "%.1f", place) }
}

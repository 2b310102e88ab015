import Foundation
import Harness

/// What costs become as logs get longer and states larger.
struct GrowthReport: Codable {
  /// The costs at one size.
  struct Point: Codable {
    /// Steps of the log, or bytes of the state.
    let size: Int
    let values: [GrowthMeasure: Double]
  }

  let machine: Machine
  /// Logs of many lengths, with a state of two todos.
  let bySteps: [Point]
  /// States of many sizes, in logs of the same length.
  let byState: [Point]

  init(machine: Machine, bySteps: [Point], byState: [Point]) {
    self.machine = machine
    self.bySteps = bySteps
    self.byState = byState
  }

  init(contentsOf url: URL) throws {
    self = try JSONDecoder().decode(GrowthReport.self, from: Data(contentsOf: url))
  }

  func write(to url: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: url)
  }

  /// A row for each size.
  static func table(_ points: [Point], over title: String) -> Table {
    var table = Table(
      [(title, .right)] + GrowthMeasure.allCases.map { ("\($0.rawValue), \($0.unit)", .right) })
    for point in points {
      table.add(
        [Readable.grouped(point.size)]
          + GrowthMeasure.allCases.map { point.values[$0].map(Readable.number) ?? "" })
    }
    return table
  }

  /// The exponent of each cost, and the one that it may reach.
  static func exponents(
    _ points: [Point], most: (GrowthMeasure) -> Double
  ) -> [(measure: GrowthMeasure, exponent: Double, most: Double)] {
    GrowthMeasure.allCases.compactMap { measure in
      let costs = points.compactMap { point in
        point.values[measure].map { (size: Double(point.size), cost: $0) }
      }
      return PowerLaw(costs).map { (measure, $0.exponent, most(measure)) }
    }
  }

  /// A row for each cost: its exponents over the length of the log and over the size of the state, with their bounds.
  var exponents: Table {
    var table = Table([
      ("cost", .left), ("by steps", .right), ("at most", .right), ("by state", .right),
      ("at most", .right),
    ])
    let steps = Self.exponents(bySteps, most: \.mostBySteps)
    let states = Self.exponents(byState, most: \.mostByState)
    for measure in GrowthMeasure.allCases {
      let cells = [steps, states].flatMap { fitted in
        fitted.first { $0.measure == measure }.map { line in
          [String(format: "%.2f", line.exponent), String(format: "%.2f", line.most)]
        } ?? ["", ""]
      }
      table.add([measure.rawValue] + cells)
    }
    return table
  }

  /// The costs that exceed their bounds, in words.
  var exceeded: [String] {
    let axes = [
      ("the length of the log", Self.exponents(bySteps, most: \.mostBySteps)),
      ("the size of the state", Self.exponents(byState, most: \.mostByState)),
    ]
    return axes.flatMap { axis, lines in
      lines.filter { $0.exponent > $0.most }.map { line in
        String(
          format: "%@ grows with %@ to the power of %.2f, at most %.2f", line.measure.rawValue,
          axis,
          line.exponent, line.most)
      }
    }
  }

  /// Some of the costs as a drawing.
  static func plot(
    _ title: String, _ measures: [GrowthMeasure], _ points: [Point], over axis: String
  ) -> LinePlot {
    LinePlot(
      title, over: axis,
      measures.map { measure in
        LinePlot.Line(
          measure.rawValue,
          points.compactMap { point in
            point.values[measure].map { (Double(point.size), $0) }
          })
      })
  }
}

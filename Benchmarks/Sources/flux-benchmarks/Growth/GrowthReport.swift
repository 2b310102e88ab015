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

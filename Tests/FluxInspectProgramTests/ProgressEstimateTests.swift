import FluxInspector
import FluxSubcommands
import Testing

@Suite("Progress in words")
struct ProgressEstimateTests {
  private let start = ContinuousClock.now

  /// Reports one activity at some seconds; returns the words.
  private func words(_ reports: [(seconds: Double, done: Int)], of total: Int = 100) -> [String] {
    var estimate = ProgressEstimate()
    return reports.map { report in
      estimate.text(
        Progress(activity: "searching", done: report.done, total: total),
        at: start + .seconds(report.seconds))
    }
  }

  @Test("after a second, the time that is left follows from the pace so far")
  func estimates() {
    #expect(
      words([(0, 0), (0.5, 10), (2, 20), (5, 50), (9.9, 99)]) == [
        "searching 0%", "searching 10%", "searching 20%, about 8 s left",
        "searching 50%, about 5 s left", "searching 99%, about 1 s left",
      ])
    #expect(
      words([(0, 0), (10, 1), (100, 2)], of: 100_000) == [
        "searching 0%", "searching 0%, about 278 h left", "searching 0%, about 1389 h left",
      ])
    #expect(words([(0, 0), (60, 50)]) == ["searching 0%", "searching 50%, about 60 s left"])
    #expect(words([(0, 0), (600, 50)]) == ["searching 0%", "searching 50%, about 10 min left"])
  }

  @Test("another activity, and work that is not known in whole, begin without an estimate")
  func others() {
    var estimate = ProgressEstimate()
    _ = estimate.text(Progress(activity: "indexing", done: 0, total: 10), at: start)
    #expect(
      estimate.text(Progress(activity: "searching", done: 5, total: 10), at: start + .seconds(9))
        == "searching 50%")
    #expect(
      estimate.text(Progress(activity: "waiting", done: 5, total: 0), at: start) == "waiting")
  }
}

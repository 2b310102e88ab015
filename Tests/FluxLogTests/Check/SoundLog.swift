@testable import FluxLog

/// The sample log, its feature there after the gap, so that every rule about states is kept.
enum SoundLog {
  static let lines = SampleLog.lines.map { line in
    line.replacing(
      #""states":{"todos":{"items":[]}}"#,
      with: #""states":{"search":{"q":"b"},"todos":{"items":[]}}"#)
  }

  static let summed = lines.map(SampleLog.summed)

  static let text = summed.joined()
}

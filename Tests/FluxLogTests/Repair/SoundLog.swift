@testable import FluxLog

/// The sample log with its feature present after the gap, so that it keeps every rule about states.
enum SoundLog {
  static let lines = SampleLog.lines.map { line in
    line.replacing(
      #""states":{"todos":{"items":[]}}"#,
      with: #""states":{"search":{"q":"b"},"todos":{"items":[]}}"#)
  }

  static let summed = lines.map(SampleLog.summed)

  static let text = summed.joined()
}

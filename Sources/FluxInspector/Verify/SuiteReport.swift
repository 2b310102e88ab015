public import FluxJSON
import FluxLog
import FluxReplay

/// A run for people, or as JSON for programs.
public struct SuiteReport: Sendable {
  private let suite: VerifiedSuite

  /// Makes a report.
  public init(_ suite: VerifiedSuite) {
    self.suite = suite
  }

  /// A log as a line of text, followed by the details if it did not pass.
  public static func text(_ log: VerifiedLog) -> String { log.text }

  /// A log as JSON: `{"log","result","seconds"}` and the members of its report, or `"error"`.
  public static func json(_ log: VerifiedLog) -> JSON {
    JSON(writing: { writer in
      writer.beginObject()
      writer.member("log", log.log)
      writer.member("result", log.result.rawValue)
      writer.name("seconds")
      writer.double(log.seconds.roundedToMilliseconds)
      switch log.outcome {
      case .report(let report):
        for member in report.json.members {
          writer.name(member.name)
          writer.raw(member.value)
        }
      case .failure(let failure): writer.member("error", failure.description)
      case .unreadable(let error): writer.member("error", error.message)
      case .notRun: break
      }
      writer.endObject()
    })
  }

  /// The run as one document: `{"logs":[…],"summary","seconds"}`.
  public var json: JSON {
    JSON(writing: { writer in
      writer.beginObject()
      writer.name("logs")
      writer.beginArray()
      for log in suite.logs { writer.raw(Self.json(log)) }
      writer.endArray()
      writer.member("summary", suite.summary)
      writer.name("seconds")
      writer.double(suite.seconds.roundedToMilliseconds)
      writer.endObject()
    })
  }
}

extension Double {
  fileprivate var roundedToMilliseconds: Double { (self * 1000).rounded() / 1000 }
}

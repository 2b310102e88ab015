@testable import FluxJSON
@testable import FluxLog

/// A small log with every kind of line, and its expected contents.
enum SampleLog {
  /// Returns a line with its sum and newline.
  static func summed(_ line: String) -> String {
    var buffer = ByteBuffer()
    unsafe Array(line.utf8.dropLast()).withUnsafeBytes { unsafe buffer.append($0) }
    LineSum.finish(&buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  static let header =
    #"{"flux":"1.1","log":"1","created":"2026-11-20T12:00:00.000000Z","seed":"8c1f0e1d2b3a4958","first":1,"effects":true,"stores":{"todos":{"type":"T","initial":{"items":[]}},"search":{"type":"S","feature":true}}}"#

  /// Every kind of step, a mark, a gap, a line of an unknown kind, an end.
  static let lines = [
    header,
    #"{"n":1,"t":0.100000,"action":{"type":"todo/add","payload":{"title":"a \"b\" [{"}},"patches":{"todos":[{"op":"add","path":"/items/-","value":{"id":1}}]}}"#,
    #"{"n":2,"t":0.200000,"action":{"type":"search/setup"},"target":"search","effects":{"search":["load"]},"states":{"search":{"q":"","hits":[]}}}"#,
    #"{"mark":"half way","t":0.250000}"#,
    #"{"n":3,"t":0.300000,"action":{"type":"todo/add","payload":[1,"]",{"a":{}}]},"cause":2,"effect":"load","effects":{"search":["-load","+-]"],"todos":["save \"1\""]},"at":"App.swift:1","took":12,"states":{"search":null},"patches":{"todos":[]}}"#,
    #"{"n":4,"t":0.300000,"action":{"type":"nothing"}}"#,
    #"{"n":5,"t":0.400000,"action":{"type":"bad"},"rejected":{"reason":"impossible","message":"}"}}"#,
    #"{"gap":{"from":6,"to":9,"why":"paused"}}"#,
    #"{"n":10,"t":1.000000,"action":{"type":"todo/add"},"states":{"search":null,"todos":{"items":[]}}}"#,
    #"{"future":"line"}"#,
    #"{"n":11,"t":1.100000,"action":{"type":"search/close"},"removed":["search"]}"#,
    #"{"end":{"steps":7,"ok":true}}"#,
  ]

  static let text = lines.map(summed).joined()

  /// The places of the sums in the text: `,"sum":"…"`.
  static let placesOfSums: Set<Int> = {
    var places: Set<Int> = []
    var end = 0
    for line in lines {
      end += summed(line).utf8.count
      // Before the bracket and the newline.
      places.formUnion(end - 2 - #","sum":"00000000""#.utf8.count..<end - 2)
    }
    return places
  }()

  /// The undamaged steps of the log by number.
  static let steps: [UInt64: LogStep] = {
    var steps: [UInt64: LogStep] = [:]
    for line in lines {
      do throws(LineFault) {
        if case .step(let step) = try LogLine(Array(line.utf8)) { steps[step.number] = step }
      } catch {
        preconditionFailure("the sample log is wrong: \(error)")
      }
    }
    return steps
  }()
}

extension LogFile {
  /// Opens a log and waits for its index.
  static func opened(
    _ path: String, threads: Int = 1, pieceSize: Int? = nil
  ) throws -> LogFile {
    var options = Options()
    options.threads = threads
    if let pieceSize { options.indexing.pieceSize = pieceSize }
    let log = try LogFile.open(path, options: options)
    try log.waitForIndex()
    return log
  }

  /// All steps that can be read, and the errors of those that cannot.
  func allSteps() -> (steps: [LogStep], errors: [LogError]) {
    var steps: [LogStep] = []
    var errors: [LogError] = []
    for position in 0..<count {
      do throws(LogError) {
        steps.append(try step(at: position))
      } catch {
        errors.append(error)
      }
    }
    return (steps, errors)
  }
}
